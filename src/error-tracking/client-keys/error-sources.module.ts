import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../projects/projects.module.js';
import { ErrorSources } from './error-sources.service.js';
import { SourceReads } from './source-reads.service.js';

/** What the collector remembers of projects and keys, for whoever changes one. */
@Module({
  imports: [ProjectsModule],
  providers: [ErrorSources, SourceReads],
  exports: [ErrorSources],
})
export class ErrorSourcesModule {}
