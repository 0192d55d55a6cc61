import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { SnippetsModule } from '../../workspace/snippets/snippets.module.js';
import { UsersModule } from '../../identity/users/users.module.js';
import {
  ExplorePagesController,
  StartPagesController,
  PeoplePagesController,
} from './dashboard-pages.controller.js';
import { EventsModule } from '../../events/events.module.js';

/** Dashboard, explore, and pages of users. */
@Module({
  imports: [EventsModule, ProjectsModule, SnippetsModule, UsersModule],
  controllers: [StartPagesController, ExplorePagesController, PeoplePagesController],
})
export class DashboardModule {}
