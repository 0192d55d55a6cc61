import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../projects/projects.module.js';
import { MilestonesModule } from '../milestones.module.js';
import { MilestoneFormPagesController } from './milestone-form-pages.controller.js';
import { MilestonePagesController } from './milestone-pages.controller.js';
import { MilestoneProgress } from './milestone-progress.service.js';

/** The pages about milestones. */
@Module({
  imports: [MilestonesModule, ProjectsModule],
  controllers: [MilestoneFormPagesController, MilestonePagesController],
  providers: [MilestoneProgress],
})
export class MilestonePagesModule {}
