import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { IssueStatesModule } from '../../workspace/issues/issue-states.module.js';
import { ProjectsRepository } from '../../workspace/projects/projects.repository.js';
import { AutoMergesRepository } from './auto-merges.repository.js';
import { MergeRecords } from './merge-records.service.js';
import { MergeRequestMerging } from './merge-request-merging.service.js';
import { MergeRequestPushListener } from './merge-request-push-listener.service.js';
import { MergeRequestPushesRepository } from './merge-request-pushes.repository.js';
import { MergeRequestsRepository } from './merge-requests.repository.js';
import { DueMerges } from './worker/due-merges.service.js';

/**
 * Merge requests in the worker: due auto-merges, and the record of writes whose process died.
 */
@Module({
  imports: [GitModule, IssueStatesModule],
  providers: [
    AutoMergesRepository,
    DueMerges,
    MergeRecords,
    MergeRequestMerging,
    MergeRequestPushListener,
    MergeRequestPushesRepository,
    MergeRequestsRepository,
    ProjectsRepository,
  ],
})
export class MergeRequestsWorkerModule {}
