import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../core/clock.js';
import {
  IssueListeners,
  type ClosedIssues,
} from '../../workspace/issues/issue-listeners.service.js';
import { AlertIncidentsRepository } from '../alert-incidents.repository.js';
import { resolveAlerts } from '../alert-resolution.js';
import { AlertsRepository } from '../alerts.repository.js';
import { statusNote } from '../alert-values.js';

/** Closing an issue, by whomever, resolves its alerts in the same transaction. */
@Injectable()
export class ClosedIssueListener implements OnModuleInit {
  constructor(
    private readonly listeners: IssueListeners,
    private readonly alerts: AlertsRepository,
    private readonly incidents: AlertIncidentsRepository,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.listeners.onClosed((tx, closed) => this.resolve(tx, closed));
  }

  private async resolve(tx: EntityManager, { issueIds, actorId }: ClosedIssues): Promise<void> {
    const alerts = await this.incidents.listOpenAlerts(tx, issueIds);
    const issues = new Map(alerts.map(({ id, issueIid }) => [id, issueIid]));
    await resolveAlerts(this.alerts, (text, values) => tx.query(text, values), {
      alertIds: [...issues.keys()],
      endedAt: this.clock.now(),
      authorId: actorId,
      notes: ({ id }) => [statusNote('resolved', `by closing issue #${issues.get(id)}`)],
    });
  }
}
