import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../projects/projects.module.js';
import { MilestonesModule } from '../milestones.module.js';
import { MilestoneFormPagesController } from './milestone-form-pages.controller.js';
import { MilestonePagesController } from './milestone-pages.controller.js';

/** The pages about milestones. */
@Module({
  imports: [MilestonesModule, ProjectsModule],
  controllers: [MilestoneFormPagesController, MilestonePagesController],
})
export class MilestonePagesModule {}
