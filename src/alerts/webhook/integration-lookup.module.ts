import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../projects/projects.module.js';
import { AlertRepositoriesModule } from '../alert-repositories.module.js';
import { IntegrationLookup } from './integration-lookup.service.js';

/** Cache of integrations for webhooks, and its invalidation. */
@Module({
  imports: [AlertRepositoriesModule, ProjectsModule],
  providers: [IntegrationLookup],
  exports: [IntegrationLookup],
})
export class IntegrationLookupModule {}
