import { Module } from '@nestjs/common';
import { IssueStateEventsRepository } from './issue-state-events.repository.js';
import { IssuesRepository } from './issues.repository.js';
import { IssueStates } from './issue-states.service.js';

/** States of issues and their listeners, for the web process and the worker. */
@Module({
  providers: [IssueStateEventsRepository, IssueStates, IssuesRepository],
  exports: [IssueStateEventsRepository, IssueStates, IssuesRepository],
})
export class IssueStatesModule {}
