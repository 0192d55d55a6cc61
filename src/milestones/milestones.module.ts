import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { MilestonesController } from './milestones.controller.js';
import { MilestonesRepository } from './milestones.repository.js';
import { MilestonesService } from './milestones.service.js';

/** Milestones of projects. */
@Module({
  imports: [ProjectsModule],
  controllers: [MilestonesController],
  providers: [MilestonesRepository, MilestonesService],
  exports: [MilestonesRepository, MilestonesService],
})
export class MilestonesModule {}
