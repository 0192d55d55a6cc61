import { Module } from '@nestjs/common';
import { ErrorRepositoriesModule } from '../error-repositories.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { ErrorSources } from './error-sources.service.js';

/** What the collector remembers of projects and keys, for whoever changes one. */
@Module({
  imports: [ErrorRepositoriesModule, ProjectsModule],
  providers: [ErrorSources],
  exports: [ErrorSources],
})
export class ErrorSourcesModule {}
