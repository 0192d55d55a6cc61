import { Module } from '@nestjs/common';
import { GroupsModule } from '../groups/groups.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { GroupLabelsController } from './group-labels.controller.js';
import { ProjectLabelsController } from './project-labels.controller.js';
import {
  GroupLabelSubscriptionsController,
  ProjectLabelSubscriptionsController,
} from './label-subscriptions.controller.js';
import { LabelPages } from './pages/label-pages.service.js';
import {
  GroupLabelPagesController,
  ProjectLabelPagesController,
} from './pages/label-pages.controller.js';
import { LabelsRepository } from './labels.repository.js';
import { LabelsService } from './labels.service.js';

/** Labels of projects and groups, with their pages. */
@Module({
  imports: [GroupsModule, ProjectsModule],
  controllers: [
    GroupLabelPagesController,
    GroupLabelsController,
    GroupLabelSubscriptionsController,
    ProjectLabelPagesController,
    ProjectLabelsController,
    ProjectLabelSubscriptionsController,
  ],
  providers: [LabelPages, LabelsRepository, LabelsService],
  exports: [LabelsRepository, LabelsService],
})
export class LabelsModule {}
