import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Activity } from '../../core/activity/activity.service.js';
import { writeSystemNotes } from '../notes/notes.repository.js';
import { IssueStateEventsRepository } from './issue-state-events.repository.js';
import type { IssueState, StateChange } from './issue.entity.js';
import { IssuesRepository, type LockedIssue } from './issues.repository.js';

/** Issues that one user closed together. */
export interface ClosedIssues {
  issueIds: number[];
  actorId: number;
}

type ClosedListener = (tx: EntityManager, closed: ClosedIssues) => Promise<void>;

/** The user who changes a state. */
interface StateActor {
  actorId: number;
}

const BEFORE: Record<StateChange, IssueState> = { closed: 'opened', reopened: 'closed' };

/**
 * Closes and reopens issues in bulk: their rows, state events, system notes, activity and
 * listeners. Issues that have the state already are unchanged.
 */
@Injectable()
export class IssueStates {
  private readonly closedListeners: ClosedListener[] = [];

  constructor(
    private readonly issues: IssuesRepository,
    private readonly stateEvents: IssueStateEventsRepository,
    private readonly activity: Activity,
  ) {}

  /** Registers a listener for closed issues; its errors undo the closing. */
  onClosed(listener: ClosedListener): void {
    this.closedListeners.push(listener);
  }

  /** Returns the ids of those that were open. */
  async close(
    tx: EntityManager,
    issueIds: readonly number[],
    { actorId }: StateActor,
  ): Promise<number[]> {
    const issues = await this.issues.lockInState(tx, issueIds, BEFORE.closed);
    const ids = idsOf(issues);
    if (ids.length === 0) return ids;
    await this.issues.close(tx, ids, actorId);
    await this.record(tx, issues, { change: 'closed', actorId });
    for (const listener of this.closedListeners) await listener(tx, { issueIds: ids, actorId });
    return ids;
  }

  /** Returns the ids of those that were closed. */
  async reopen(
    tx: EntityManager,
    issueIds: readonly number[],
    { actorId }: StateActor,
  ): Promise<number[]> {
    const issues = await this.issues.lockInState(tx, issueIds, BEFORE.reopened);
    const ids = idsOf(issues);
    if (ids.length === 0) return ids;
    await this.issues.reopen(tx, ids);
    await this.record(tx, issues, { change: 'reopened', actorId });
    return ids;
  }

  private async record(
    tx: EntityManager,
    issues: readonly LockedIssue[],
    { change, actorId }: { change: StateChange; actorId: number },
  ): Promise<void> {
    await this.stateEvents.add(tx, idsOf(issues), { change, actorId });
    const notes = issues.map(({ id }) => ({ issueId: id, authorId: actorId, body: change }));
    await writeSystemNotes((text, values) => tx.query(text, values), notes);
    const events = issues.map(({ id, projectId }) => {
      return {
        projectId,
        authorId: actorId,
        action: change,
        target: { type: 'issue', id },
      } as const;
    });
    await this.activity.record(tx, events);
  }
}

function idsOf(issues: readonly LockedIssue[]): number[] {
  return issues.map(({ id }) => id);
}
