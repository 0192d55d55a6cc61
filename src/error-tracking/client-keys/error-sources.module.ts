import { Module } from '@nestjs/common';
import { ErrorRepositoriesModule } from '../error-repositories.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { ClientKeyCache } from './client-key-cache.service.js';

/** What the collector remembers of projects and keys, for whoever changes one. */
@Module({
  imports: [ErrorRepositoriesModule, ProjectsModule],
  providers: [ClientKeyCache],
  exports: [ClientKeyCache],
})
export class ErrorSourcesModule {}
