import { Module } from '@nestjs/common';
import { GitModule } from '../git/git.module.js';
import { IssueStatesModule } from '../issues/issue-states.module.js';
import { IssueClosings } from './issue-closings.service.js';
import { MergeRecords } from './merge-records.service.js';
import { MergeRequestPushListener } from './merge-request-push-listener.service.js';
import { PushReactions } from './push-reactions.service.js';

/** Effects of pushes; for the web process and the worker alike. */
@Module({
  imports: [GitModule, IssueStatesModule],
  providers: [IssueClosings, MergeRecords, MergeRequestPushListener, PushReactions],
  exports: [MergeRecords],
})
export class MergeRequestPushesModule {}
