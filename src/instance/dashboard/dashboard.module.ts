import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { SnippetsModule } from '../../workspace/snippets/snippets.module.js';
import { UsersModule } from '../../identity/users/users.module.js';
import { ExplorePagesController } from './explore-pages.controller.js';
import { PeoplePagesController } from './people-pages.controller.js';
import { StartPagesController } from './start-pages.controller.js';
import { EventsModule } from '../../events/events.module.js';

/** Where people begin and look around: dashboard, explore, pages of users. */
@Module({
  imports: [EventsModule, ProjectsModule, SnippetsModule, UsersModule],
  controllers: [StartPagesController, ExplorePagesController, PeoplePagesController],
})
export class DashboardModule {}
