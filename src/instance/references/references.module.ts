import { Global, Module } from '@nestjs/common';
import { ReferenceFinder } from '../../core/ui/references/page-references.js';
import { GitModule } from '../../git/git.module.js';
import { StoredReferences } from './stored-references.service.js';
import { ReferencesRepository } from './references.repository.js';

/** References in the texts of all pages. */
@Global()
@Module({
  imports: [GitModule],
  providers: [ReferencesRepository, { provide: ReferenceFinder, useClass: StoredReferences }],
  exports: [ReferenceFinder],
})
export class ReferencesModule {}
