import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../projects/projects.module.js';
import { AlertIntegrationsModule } from '../integrations/alert-integrations.module.js';
import { AlertManagementModule } from '../management/alert-management.module.js';

/** Pages about alerts and integrations. */
@Module({ imports: [AlertIntegrationsModule, AlertManagementModule, ProjectsModule] })
export class AlertPagesModule {}
