import { Module } from '@nestjs/common';
import { EventPagesModule } from '../events/pages/event-pages.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { SnippetsModule } from '../snippets/snippets.module.js';
import { UsersModule } from '../users/users.module.js';
import { ExplorePagesController } from './explore-pages.controller.js';
import { PeoplePagesController } from './people-pages.controller.js';
import { StartPagesController } from './start-pages.controller.js';

/** Where people begin and look around: dashboard, explore, pages of users. */
@Module({
  imports: [EventPagesModule, ProjectsModule, SnippetsModule, UsersModule],
  controllers: [StartPagesController, ExplorePagesController, PeoplePagesController],
})
export class DashboardModule {}
