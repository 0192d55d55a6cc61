import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { JobsFinder } from './jobs-finder.service.js';
import { ProjectJobsController } from './project-jobs.controller.js';

/** Reading the background jobs of projects; other features write them. */
@Module({
  imports: [ProjectsModule],
  controllers: [ProjectJobsController],
  providers: [JobsFinder],
})
export class BackgroundJobsModule {}
