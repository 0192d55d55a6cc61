import { Module } from '@nestjs/common';
import { IssueListeners } from './issue-listeners.service.js';
import { IssueStates } from './issue-states.service.js';

/** States of issues and who hears of them; for the web process and the worker alike. */
@Module({
  providers: [IssueListeners, IssueStates],
  exports: [IssueListeners, IssueStates],
})
export class IssueStatesModule {}
