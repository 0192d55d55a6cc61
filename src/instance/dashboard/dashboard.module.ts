import { Module } from '@nestjs/common';
import { MergeRequestsModule } from '../../code/merge-requests/merge-requests.module.js';
import { IssuesModule } from '../../workspace/issues/issues.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { SnippetsModule } from '../../workspace/snippets/snippets.module.js';
import { UsersModule } from '../../identity/users/users.module.js';
import { EventsModule } from '../../events/events.module.js';
import { TodosModule } from '../todos/todos.module.js';
import {
  ExplorePagesController,
  PeoplePagesController,
  SwitcherPagesController,
} from './dashboard-pages.controller.js';
import { HomePagesController } from './home-pages.controller.js';
import { HomeRepository } from './home.repository.js';

/** Home, explore, and pages of users. */
@Module({
  imports: [
    EventsModule,
    IssuesModule,
    MergeRequestsModule,
    ProjectsModule,
    SnippetsModule,
    TodosModule,
    UsersModule,
  ],
  controllers: [
    HomePagesController,
    ExplorePagesController,
    SwitcherPagesController,
    PeoplePagesController,
  ],
  providers: [HomeRepository],
})
export class DashboardModule {}
