import { Module } from '@nestjs/common';
import { AuthModule } from '../../identity/auth/auth.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { JobsRepository } from './jobs.repository.js';
import { ProjectJobsController } from './project-jobs.controller.js';
import {
  QueueBoardController,
  QueueChangesController,
  QueueBoard,
} from './queue-board.controller.js';

/** Background jobs of projects, which other features write, and the dashboard of the queues. */
@Module({
  imports: [AuthModule, ProjectsModule],
  controllers: [ProjectJobsController, QueueBoardController, QueueChangesController],
  providers: [JobsRepository, QueueBoard],
})
export class BackgroundJobsModule {}
