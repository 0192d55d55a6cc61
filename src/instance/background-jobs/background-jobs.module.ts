import { Module } from '@nestjs/common';
import { AuthModule } from '../../identity/auth/auth.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { JobsRepository } from './jobs.repository.js';
import { ProjectJobsController } from './project-jobs.controller.js';
import { QueueBoardController } from './queue-board/queue-board.controller.js';
import { QueueBoard } from './queue-board/queue-board.service.js';
import { QueueChangesController } from './queue-board/queue-changes.controller.js';

/** Background jobs of projects, which other features write, and the dashboard of the queues. */
@Module({
  imports: [AuthModule, ProjectsModule],
  controllers: [ProjectJobsController, QueueBoardController, QueueChangesController],
  providers: [JobsRepository, QueueBoard],
})
export class BackgroundJobsModule {}
