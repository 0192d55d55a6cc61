import { Module } from '@nestjs/common';
import { ErrorRepositoriesModule } from '../error-repositories.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { ClientKeyCache } from './client-key-cache.service.js';

/** Cache of projects and client keys for the collector, and its invalidation. */
@Module({
  imports: [ErrorRepositoriesModule, ProjectsModule],
  providers: [ClientKeyCache],
  exports: [ClientKeyCache],
})
export class ErrorSourcesModule {}
