import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { MilestoneChangesController } from './milestone-changes.controller.js';
import { MilestonesController } from './milestones.controller.js';
import { MilestonesFinder } from './milestones-finder.service.js';
import { MilestonesService } from './milestones.service.js';

/** Milestones of projects. */
@Module({
  imports: [ProjectsModule],
  controllers: [MilestonesController, MilestoneChangesController],
  providers: [MilestonesFinder, MilestonesService],
  exports: [MilestonesFinder, MilestonesService],
})
export class MilestonesModule {}
