import { Module } from '@nestjs/common';
import { IssueListeners } from './issue-listeners.service.js';
import { IssueStateEventsRepository } from './issue-state-events.repository.js';
import { IssuesRepository } from './issues.repository.js';
import { IssueStates } from './issue-states.service.js';

/** States of issues and who hears of them; for the web process and the worker alike. */
@Module({
  providers: [IssueListeners, IssueStateEventsRepository, IssueStates, IssuesRepository],
  exports: [IssueListeners, IssueStateEventsRepository, IssueStates, IssuesRepository],
})
export class IssueStatesModule {}
