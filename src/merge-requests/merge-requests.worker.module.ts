import { Module } from '@nestjs/common';
import { GitModule } from '../git/git.module.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { MergeRequestMerging } from './merge-request-merging.service.js';
import { MergeRequestPushesModule } from './merge-request-pushes.module.js';
import { MergeRequestsFinder } from './merge-requests-finder.service.js';
import { DueMerges } from './worker/due-merges.service.js';

/**
 * Background tasks of merge requests: auto-merges after pipelines, and the record of writes whose
 * process died.
 */
@Module({
  imports: [GitModule, MergeRequestPushesModule],
  providers: [DueMerges, MergeRequestMerging, MergeRequestsFinder, ProjectsRepository],
})
export class MergeRequestsWorkerModule {}
