import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { RunEvery, type IsStopping } from '../../core/durable-work/periodic-task.js';
import { QUEUES } from '../../core/durable-work/queues.js';
import { processCounter } from '../../core/metrics/metrics-registry.js';
import {
  AlertReactionsRepository,
  type DueReaction,
  type LockedAlerts,
  type LockedReaction,
  type ReactionWork,
} from '../alert-reactions.repository.js';
import { AlertMails } from './alert-mails.service.js';
import { IncidentClosings, IncidentOpenings } from './incident-reactions.service.js';

const reacted = processCounter({
  name: 'guildhall_alert_reactions_total',
  help: 'Reactions to alerts by kind and outcome: done or failed, to be retried',
  labelNames: ['kind', 'outcome'],
});

/** Alerts of one transaction. */
const BATCH = 100;

interface Attempt {
  /** Alerts that were claimed; known also when it fails. */
  alertIds: number[];
}

/** Runs the reactions of `alert_reactions`, each exactly once. */
@Injectable()
export class AlertReactions {
  private readonly logger = new Logger(AlertReactions.name);
  /** In the order in which they take turns. */
  private readonly works: readonly ReactionWork[];

  constructor(
    private readonly dataSource: DataSource,
    private readonly reactions: AlertReactionsRepository,
    private readonly clock: Clock,
    openings: IncidentOpenings,
    closings: IncidentClosings,
    private readonly mails: AlertMails,
  ) {
    this.works = [openings, closings, mails.workOn('firing'), mails.workOn('recovery')];
  }

  /** Does what is due, then writes the emails to people whose window is over. */
  @RunEvery({ ms: 5_000, queue: QUEUES.alerts, failureMessage: 'Reacting to alerts failed' })
  async run(isStopping: IsStopping): Promise<void> {
    await this.reactDue(isStopping);
    await this.mails.writeDue(isStopping);
  }

  /**
   * Runs until nothing is due, or `isStopping` returns true. The kinds take turns, so that no email
   * waits behind thousands of incidents. Failures are rolled back and retried later.
   */
  private async reactDue(isStopping: IsStopping): Promise<void> {
    let waiting = this.works;
    while (waiting.length > 0 && !isStopping()) {
      const more: ReactionWork[] = [];
      for (const work of waiting) {
        if (await this.reactToSome(work, isStopping)) more.push(work);
      }
      waiting = more;
    }
  }

  /** Returns true if more can be due. */
  private async reactToSome(work: ReactionWork, isStopping: IsStopping): Promise<boolean> {
    const attempt: Attempt = { alertIds: [] };
    const alone = await this.attempt(work, { limit: BATCH }, attempt).catch((error: unknown) => {
      if (attempt.alertIds.length === 0) throw error;
      this.logger.warn(`${work.kind}: one by one after ${String(error)}`);
      return attempt.alertIds;
    });
    for (const alertId of alone) {
      if (isStopping()) return false;
      await this.reactToOne(work, alertId);
    }
    return attempt.alertIds.length === BATCH;
  }

  /** Alone, so that what is wrong with one alert stops no other. */
  private async reactToOne(work: ReactionWork, alertId: number): Promise<void> {
    try {
      await this.attempt(work, { alertId }, { alertIds: [] });
    } catch (error) {
      const { kind } = work;
      this.logger.error(`${kind}: failed for alert ${alertId}: ${String(error)}`);
      reacted.inc({ kind, outcome: 'failed' });
      await this.reactions.postpone({ kind, now: this.clock.now() }, alertId);
    }
  }

  /** One transaction; answers which alerts have to be taken one by one. */
  private async attempt(
    work: ReactionWork,
    wanted: LockedAlerts,
    attempt: Attempt,
  ): Promise<number[]> {
    const { kind } = work;
    const outcome = await this.dataSource.transaction(async (tx) => {
      const due = { kind, now: this.clock.now() };
      const { alertIds, rows } = await this.reactions.lock(tx, due, wanted);
      attempt.alertIds = alertIds;
      if (alertIds.length === 0) return { busy: [], summary: null, done: 0 };
      const outcome = await work.react(tx, byAlert(alertIds, rows), 'alertId' in wanted);
      const done = rows.filter(({ alertId }) => !outcome.busy.includes(alertId));
      await this.reactions.deleteDone(
        tx,
        done.map(({ id }) => id),
      );
      return { ...outcome, done: done.length };
    });
    reacted.inc({ kind, outcome: 'done' }, outcome.done);
    if (outcome.summary !== null) this.logger.log(outcome.summary);
    await outcome.committed?.();
    return outcome.busy;
  }
}

function byAlert(alertIds: readonly number[], rows: readonly LockedReaction[]): DueReaction[] {
  const events = new Map<number, number[]>(alertIds.map((alertId) => [alertId, []]));
  for (const row of rows) events.get(row.alertId)?.push(row.events);
  return [...events].map(([alertId, counts]) => ({ alertId, events: counts }));
}
