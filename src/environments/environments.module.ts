import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { EnvironmentsController } from './environments.controller.js';
import { EnvironmentsFinder } from './environments-finder.service.js';
import { EnvironmentsService } from './environments.service.js';

/** Environments of projects. */
@Module({
  imports: [ProjectsModule],
  controllers: [EnvironmentsController],
  providers: [EnvironmentsFinder, EnvironmentsService],
})
export class EnvironmentsModule {}
