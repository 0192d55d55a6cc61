import { Global, Module } from '@nestjs/common';
import { ReferenceLookup } from '../../core/ui/references/page-references.js';
import { GitModule } from '../../git/git.module.js';
import { StoredReferences } from './stored-references.service.js';
import { ReferencesRepository } from './references.repository.js';

/** References in the texts of all pages. */
@Global()
@Module({
  imports: [GitModule],
  providers: [ReferencesRepository, { provide: ReferenceLookup, useClass: StoredReferences }],
  exports: [ReferenceLookup],
})
export class ReferencesModule {}
