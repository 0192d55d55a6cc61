import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { JobsRepository } from './jobs.repository.js';
import { ProjectJobsController } from './project-jobs.controller.js';

/** Reading the background jobs of projects; other features write them. */
@Module({
  imports: [ProjectsModule],
  controllers: [ProjectJobsController],
  providers: [JobsRepository],
})
export class BackgroundJobsModule {}
