import { Module } from '@nestjs/common';
import { AuthModule } from '../../identity/auth/auth.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { JobsRepository } from './jobs.repository.js';
import { ProjectJobsController } from './project-jobs.controller.js';
import { QueueJobs } from './queue-jobs.service.js';
import { QueuePagesController } from './queue-pages.controller.js';

/** Background jobs of projects, which other features write, and the pages of the queues. */
@Module({
  imports: [AuthModule, ProjectsModule],
  controllers: [ProjectJobsController, QueuePagesController],
  providers: [JobsRepository, QueueJobs],
})
export class BackgroundJobsModule {}
