import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { EnvironmentsController } from './environments.controller.js';
import { EnvironmentsRepository } from './environments.repository.js';
import { EnvironmentPagesController } from './pages/environment-pages.controller.js';
import { EnvironmentsService } from './environments.service.js';

/** Environments of projects. */
@Module({
  imports: [ProjectsModule],
  controllers: [EnvironmentPagesController, EnvironmentsController],
  providers: [EnvironmentsRepository, EnvironmentsService],
})
export class EnvironmentsModule {}
