import { Module } from '@nestjs/common';
import { AlertRepositoriesModule } from '../../alerts/alert-repositories.module.js';
import { MergeRequestsModule } from '../../code/merge-requests/merge-requests.module.js';
import { IssuesModule } from '../../workspace/issues/issues.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { TodoPagesController } from './pages/todo-pages.controller.js';
import { TodoTargets } from './todo-targets.service.js';
import { TodosController } from './todos.controller.js';
import { VisibleTodosRepository } from './visible-todos.repository.js';

/** To-dos: their API and page. */
@Module({
  imports: [AlertRepositoriesModule, IssuesModule, MergeRequestsModule, ProjectsModule],
  controllers: [TodoPagesController, TodosController],
  providers: [TodoTargets, VisibleTodosRepository],
  exports: [VisibleTodosRepository],
})
export class TodosModule {}
