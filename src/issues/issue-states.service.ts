import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Activity } from '../activity/activity.service.js';
import { writeSystemNotes } from '../notes/notes.repository.js';
import { IssueListeners } from './issue-listeners.service.js';
import type { StateChange } from './issue-state-event.entity.js';
import type { IssueState } from './issue.entity.js';

/** Whose doing a change is. */
export interface StateActor {
  actorId: number;
}

const BEFORE: Record<StateChange, IssueState> = { closed: 'opened', reopened: 'closed' };

/** In the order of ids, so that two transactions never wait for each other. */
const LOCK_SQL = `
  SELECT id, project_id AS "projectId" FROM issues
  WHERE id = ANY($1::bigint[]) AND state = $2 ORDER BY id FOR UPDATE`;

const CLOSE_SQL = `
  UPDATE issues SET state = 'closed', closed_at = now(), closed_by_id = $2, updated_at = now()
  WHERE id = ANY($1::bigint[])`;

const REOPEN_SQL = `
  UPDATE issues SET state = 'opened', closed_at = NULL, closed_by_id = NULL, updated_at = now()
  WHERE id = ANY($1::bigint[])`;

const EVENT_SQL = `
  INSERT INTO issue_state_events (issue_id, user_id, state)
  SELECT id, $2, $3 FROM unnest($1::bigint[]) WITH ORDINALITY AS i (id, position)
  ORDER BY position`;

/**
 * Closes and reopens issues, many at once: their rows, state events, system notes, activity and
 * listeners.
 * Issues that are in the wanted state already stay as they are.
 */
@Injectable()
export class IssueStates {
  constructor(
    private readonly listeners: IssueListeners,
    private readonly activity: Activity,
  ) {}

  /** Answers the ids of those that were open. */
  async close(
    tx: EntityManager,
    issueIds: readonly number[],
    { actorId }: StateActor,
  ): Promise<number[]> {
    const issues = await lockIn(tx, issueIds, 'closed');
    const ids = idsOf(issues);
    if (ids.length === 0) return ids;
    await tx.query(CLOSE_SQL, [ids, actorId]);
    await this.record(tx, issues, { change: 'closed', actorId });
    await this.listeners.tellClosed(tx, { issueIds: ids, actorId });
    return ids;
  }

  /** Answers the ids of those that were closed. */
  async reopen(
    tx: EntityManager,
    issueIds: readonly number[],
    { actorId }: StateActor,
  ): Promise<number[]> {
    const issues = await lockIn(tx, issueIds, 'reopened');
    const ids = idsOf(issues);
    if (ids.length === 0) return ids;
    await tx.query(REOPEN_SQL, [ids]);
    await this.record(tx, issues, { change: 'reopened', actorId });
    return ids;
  }

  private async record(
    tx: EntityManager,
    issues: readonly LockedIssue[],
    { change, actorId }: { change: StateChange; actorId: number },
  ): Promise<void> {
    await tx.query(EVENT_SQL, [idsOf(issues), actorId, change]);
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

interface LockedIssue {
  id: number;
  projectId: number;
}

function idsOf(issues: readonly LockedIssue[]): number[] {
  return issues.map(({ id }) => id);
}

async function lockIn(
  tx: EntityManager,
  issueIds: readonly number[],
  change: StateChange,
): Promise<LockedIssue[]> {
  if (issueIds.length === 0) return [];
  return tx.query<LockedIssue[]>(LOCK_SQL, [issueIds, BEFORE[change]]);
}
