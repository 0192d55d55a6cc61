import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { IssueListeners, type ClosedIssues } from '../../issues/issue-listeners.service.js';
import { resolveAlerts } from '../alert-resolution.js';
import { STATUS } from '../alert-values.js';
import { statusNote } from '../status-notes.js';

interface OpenAlert {
  id: number;
  issueIid: number;
}

const OPEN_ALERTS_SQL = `
  SELECT a.id, i.iid AS "issueIid" FROM alerts a JOIN issues i ON i.id = a.issue_id
  WHERE a.issue_id = ANY($1::bigint[]) AND a.status <> ${STATUS.resolved}`;

/** Closing an issue, by whomever, resolves its alerts in the same transaction. */
@Injectable()
export class ClosedIssueListener implements OnModuleInit {
  constructor(
    private readonly listeners: IssueListeners,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.listeners.onClosed((tx, closed) => this.resolve(tx, closed));
  }

  private async resolve(tx: EntityManager, { issueIds, actorId }: ClosedIssues): Promise<void> {
    const alerts = await tx.query<OpenAlert[]>(OPEN_ALERTS_SQL, [issueIds]);
    const issues = new Map(alerts.map(({ id, issueIid }) => [id, issueIid]));
    await resolveAlerts((text, values) => tx.query(text, values), {
      alertIds: [...issues.keys()],
      endedAt: this.clock.now(),
      authorId: actorId,
      notes: ({ id }) => [statusNote('resolved', `by closing issue #${issues.get(id)}`)],
    });
  }
}
