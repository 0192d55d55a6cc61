import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { MilestonesController } from './milestones.controller.js';
import { MilestonesRepository } from './milestones.repository.js';
import { MilestonesService } from './milestones.service.js';
import { MilestoneFormPagesController } from './pages/milestone-form-pages.controller.js';
import { MilestoneSections } from './pages/milestone-page-context.js';
import { MilestonePagesController } from './pages/milestone-pages.controller.js';

/** Milestones of projects, with their pages. */
@Module({
  imports: [ProjectsModule],
  controllers: [MilestoneFormPagesController, MilestonePagesController, MilestonesController],
  providers: [MilestoneSections, MilestonesRepository, MilestonesService],
  exports: [MilestoneSections, MilestonesRepository, MilestonesService],
})
export class MilestonesModule {}
