import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../projects/projects.module.js';
import { AlertIngestModule } from '../ingest/alert-ingest.module.js';

/** Integrations of a project, its alert settings, deliveries and test alerts. */
@Module({ imports: [AlertIngestModule, ProjectsModule] })
export class AlertIntegrationsModule {}
