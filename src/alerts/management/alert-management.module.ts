import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../projects/projects.module.js';

/** Alerts as people work with them: lists, states, assignees, notes, incidents. */
@Module({ imports: [ProjectsModule] })
export class AlertManagementModule {}
