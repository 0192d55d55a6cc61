import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { JobQueue } from '../../core/durable-work/job-queue.service.js';
import { QUEUES } from '../../core/durable-work/queues.js';
import { toUnavailableError, ApiError, ForbiddenError } from '../../core/errors.js';
import { IngestQueue } from '../../core/ingest/ingest-queue.js';
import { processCounter } from '../../core/metrics/metrics-registry.js';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import { AlertBot } from '../../identity/users/alert-bot.service.js';
import { writeSystemNotes } from '../../workspace/notes/notes.repository.js';
import {
  AlertDeliveriesRepository,
  type DeliverySource,
  type NewDelivery,
} from '../alert-deliveries.repository.js';
import { AlertReactionsRepository, type NewReaction } from '../alert-reactions.repository.js';
import type { IncomingAlert } from '../parsing/incoming-alert.js';
import { parseAlertBody, parsePayload } from '../parsing/payload.js';
import {
  AlertIngestRepository,
  type NewAlert,
  alertsLockOf,
  isReopened,
} from './alert-ingest.repository.js';
import type { AlertSource, IngestCall, IngestOutcome, TouchedAlert } from './alert-source.js';
import {
  AlertStates,
  keysOf,
  matchKey,
  type AlertEvent,
  type CreatableAlert,
  type EventKey,
  type OpenAlert,
  type ProjectRules,
  type TrackedAlert,
} from './alert-states.js';
import {
  alertCalls,
  DeliveryLog,
  isWorthLooking,
  reasonOf,
  UnmatchedRecoveryError,
} from './delivery-log.service.js';

const ATTEMPTS = 3;

/** Writes the alerts of several calls in one transaction. */
@Injectable()
export class AlertBatchWriter {
  constructor(
    private readonly sql: Sql,
    private readonly alerts: AlertIngestRepository,
    private readonly deliveries: AlertDeliveriesRepository,
    private readonly reactions: AlertReactionsRepository,
    private readonly bot: AlertBot,
    private readonly jobs: JobQueue,
  ) {}

  /** Returns the outcome of each call, in the order of the calls. */
  async write(calls: readonly IngestCall[], attempt = 1): Promise<IngestOutcome[]> {
    const authorId = await this.bot.id();
    try {
      const { outcomes, hasReactions } = await this.sql.transaction(
        (rows) => this.writeCalls(rows, calls, authorId),
        { lock: locksOf(calls), avoidsScans: true },
      );
      if (hasReactions) this.jobs.notify(QUEUES.alerts);
      return outcomes;
    } catch (error) {
      if (attempt === ATTEMPTS || !isReopened(error)) throw error;
      return this.write(calls, attempt + 1);
    }
  }

  private async writeCalls(
    rows: TransactionRows,
    calls: readonly IngestCall[],
    authorId: number,
  ): Promise<{ outcomes: IngestOutcome[]; hasReactions: boolean }> {
    const events = calls.map(eventsOf);
    const { open, rules, creatable } = await this.readStates(rows, events.flat());
    const states = new AlertStates(open, rules, creatable);
    const touched = events.map((ofCall) => ofCall.map((event) => states.apply(event)));
    const { tracked } = states;
    const reactions = tracked.flatMap(reactionsOf);
    const outcomes = calls.map((call, at) => outcomeOf(call, touched[at] ?? []));
    const deliveries = calls.flatMap((call, at) => deliveryOf(call, outcomes[at] ?? null));
    // In this order: an alert that recovered makes room for its successor, notes refer to alerts.
    await Promise.all([
      this.alerts.applyEvents(
        rows,
        tracked.filter(({ origin }) => origin === null),
      ),
      this.alerts.insertAll(rows, tracked.filter(isNew), states.numbers()),
      writeSystemNotes(rows, notesOf(tracked, authorId)),
      reactions.length > 0 && this.reactions.insertAll(rows, reactions),
      this.deliveries.insertAll(rows, deliveries),
    ]);
    return { outcomes, hasReactions: reactions.length > 0 };
  }

  /** Reads and locks the alerts that the events can change. */
  private async readStates(
    rows: TransactionRows,
    events: readonly AlertEvent[],
  ): Promise<StoredStates> {
    const keys = keysOf(events);
    const states: StoredStates = { open: new Map(), rules: new Map(), creatable: new Map() };
    for (const { position, id, ...row } of await this.alerts.lockOpen(rows, keys)) {
      const { projectId, fingerprint, alert } = keys[position - 1] as EventKey;
      const { iid, title, status, issueId, isSilenced, newId, ...rules } = row;
      states.rules.set(projectId, rules);
      const key = matchKey(projectId, fingerprint);
      if (id !== null) states.open.set(key, { id, iid, title, status, issueId, isSilenced });
      if (newId !== null) states.creatable.set(alert, { id: newId, isSilenced });
    }
    return states;
  }
}

/** The stored state of the alerts of a batch. */
interface StoredStates {
  open: Map<string, OpenAlert>;
  rules: Map<number, ProjectRules>;
  /** By the event that makes it, unless it only ends what is not open. */
  creatable: Map<IncomingAlert, CreatableAlert>;
}

function isNew(alert: TrackedAlert): alert is NewAlert {
  return alert.origin !== null;
}

/** Returns the system notes in the order of the alerts. */
function notesOf(tracked: readonly TrackedAlert[], authorId: number) {
  return tracked.flatMap(({ id, notes }) => notes.map((body) => ({ alertId: id, authorId, body })));
}

function locksOf(calls: readonly IngestCall[]): number[] {
  return [...new Set(calls.map(({ source }) => alertsLockOf(source.projectId)))];
}

function eventsOf({ source, parsed }: IngestCall): AlertEvent[] {
  return parsed.alerts.map((alert) => ({ alert, source, format: parsed.format }));
}

/** In the Prometheus format each item stands for itself, so an unmatched recovery is left out. */
function outcomeOf({ parsed }: IngestCall, results: (TrackedAlert | null)[]): IngestOutcome {
  const alerts = [...new Set(results.filter((alert) => alert !== null))];
  if (parsed.format === 'plain' && alerts.length === 0) return null;
  return alerts.map(({ iid, title }) => ({ iid, title }));
}

function deliveryOf({ source, via, body }: IngestCall, touched: IngestOutcome): NewDelivery[] {
  if (touched === null) return [];
  const stored = { status: 200, size: body.length, error: null, calls: 1, payload: body };
  const alertIids = touched.map(({ iid }) => iid);
  return [{ ...stored, integrationId: source.integrationId, via, alertIids }];
}

/** A new alert is reported immediately; further events come in bursts. */
function reactionsOf(alert: TrackedAlert): NewReaction[] {
  const once = { alertId: alert.id, events: 1, waits: false };
  const reactions: NewReaction[] = [];
  if (alert.opensIncident) reactions.push({ ...once, kind: 'open_incident' });
  if (alert.firingMails > 0) {
    const waits = alert.origin === null;
    reactions.push({ ...once, kind: 'mail_firing', events: alert.firingMails, waits });
  }
  if (alert.mailsRecovery) reactions.push({ ...once, kind: 'mail_recovery' });
  if (alert.closesIncident) reactions.push({ ...once, kind: 'close_incident' });
  return reactions;
}

const LIMITS = {
  // One batch is written while the next one comes together.
  batches: { running: 2, size: 64 },
  waiting: [{ capacity: 20_000, weightOf: ({ parsed }: IngestCall) => parsed.alerts.length }],
};

const received = processCounter({
  name: 'guildhall_alerts_received_total',
  help: 'Alerts by outcome: stored or dropped above the limit of a call',
  labelNames: ['outcome'],
});

const FOREIGN_KEY_VIOLATION = '23503';

/** The one way into the table of alerts: for webhooks, test alerts and repeated deliveries. */
@Injectable()
export class AlertIngest {
  private readonly logger = new Logger(AlertIngest.name);
  private readonly queue: IngestQueue<IngestCall, IngestOutcome>;

  constructor(
    writer: AlertBatchWriter,
    private readonly deliveries: DeliveryLog,
    private readonly clock: Clock,
  ) {
    this.queue = new IngestQueue((calls) => writer.write(calls), LIMITS);
  }

  /**
   * Stores the alerts of a body, together with other calls, and records the delivery. Returned
   * alerts are committed. Throws 400 for an unreadable body and for a plain recovery without an
   * open alert, 403 for a deleted integration, 422, and 503 when the queue is full.
   */
  async receive(source: AlertSource, body: Buffer, via: DeliverySource): Promise<TouchedAlert[]> {
    const call = { source, body, via };
    try {
      const parsed = parsePayload(parseAlertBody(body), source, this.clock.now());
      if (parsed.dropped > 0) this.logDropped(source, parsed.dropped);
      const touched = await this.queue.run({ ...call, parsed });
      if (touched === null) throw new UnmatchedRecoveryError();
      alertCalls.inc({ source: via, status: 200 });
      received.inc({ outcome: 'stored' }, touched.length);
      return touched;
    } catch (error) {
      throw this.refuse(call, error);
    }
  }

  private logDropped({ integrationId, projectId }: AlertSource, dropped: number): void {
    const where = `integration ${integrationId} of project ${projectId}`;
    received.inc({ outcome: 'dropped' }, dropped);
    this.logger.warn(`${dropped} alerts beyond the first 100 of a call were dropped: ${where}`);
  }

  /** Notes the refusal; the error is the one to be thrown. */
  private refuse({ source, body, via }: Omit<IngestCall, 'parsed'>, error: unknown): unknown {
    const isGone = (error as { code?: unknown }).code === FOREIGN_KEY_VIOLATION;
    const thrown = isGone ? new ForbiddenError() : error;
    const refusal = thrown instanceof ApiError ? thrown : toUnavailableError(thrown);
    const status = refusal?.status ?? 500;
    this.deliveries.refused({
      integrationId: source.integrationId,
      via,
      status,
      error: reasonOf(refusal),
      size: body.length,
      ...(isWorthLooking(refusal) && { payload: body }),
    });
    return thrown;
  }
}
