import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../core/durable-work/job-queue.service.js';
import { QUEUES } from '../../core/durable-work/queues.js';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import { writeSystemNotes } from '../../workspace/notes/notes.repository.js';
import { AlertBot } from '../../identity/users/alert-bot.service.js';
import { AlertReactionsRepository, type NewReaction } from '../alert-reactions.repository.js';
import { AlertDeliveriesRepository, type NewDelivery } from '../alert-deliveries.repository.js';
import {
  AlertIngestRepository,
  type AlertKey,
  type NewAlert,
  alertsLockOf,
  isReopened,
} from './alert-ingest.repository.js';
import type { IncomingAlert } from '../parsing/incoming-alert.js';
import type { IngestCall, IngestOutcome } from './alert-source.js';
import {
  AlertStates,
  matchKey,
  type AlertEvent,
  type AlertToMake,
  type OpenAlert,
  type ProjectRules,
  type TrackedAlert,
} from './alert-states.js';

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
  write(calls: readonly IngestCall[]): Promise<IngestOutcome[]> {
    return this.persist(calls);
  }

  private async persist(calls: readonly IngestCall[], attempt = 1): Promise<IngestOutcome[]> {
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
      return this.persist(calls, attempt + 1);
    }
  }

  private async writeCalls(
    rows: TransactionRows,
    calls: readonly IngestCall[],
    authorId: number,
  ): Promise<{ outcomes: IngestOutcome[]; hasReactions: boolean }> {
    const events = calls.map(eventsOf);
    const { open, rules, toMake } = await this.readStates(rows, events.flat());
    const states = new AlertStates(open, rules, toMake);
    const touched = events.map((ofCall) => ofCall.map((event) => states.apply(event)));
    const { tracked } = states;
    const reactions = tracked.flatMap(reactionsOf);
    const outcomes = calls.map((call, at) => outcomeOf(call, touched[at] ?? []));
    const deliveries = calls.flatMap((call, at) => deliveryOf(call, outcomes[at] ?? null));
    // In this order: an alert that recovered makes room for its successor, notes refer to alerts.
    await Promise.all([
      this.alerts.applyEvents(rows, tracked.filter(isStored)),
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
    const states: StoredStates = { open: new Map(), rules: new Map(), toMake: new Map() };
    for (const { position, id, ...row } of await this.alerts.lockOpen(rows, keys)) {
      const { projectId, fingerprint, alert } = keys[position - 1] as EventKey;
      const { iid, title, status, issueId, isSilenced, newId, ...rules } = row;
      states.rules.set(projectId, rules);
      const key = matchKey(projectId, fingerprint);
      if (id !== null) states.open.set(key, { id, iid, title, status, issueId, isSilenced });
      if (newId !== null) states.toMake.set(alert, { id: newId, isSilenced });
    }
    return states;
  }
}

const ATTEMPTS = 3;

/** The stored state of the alerts of a batch. */
interface StoredStates {
  open: Map<string, OpenAlert>;
  rules: Map<number, ProjectRules>;
  /** By the event that makes it, unless it only ends what is not open. */
  toMake: Map<IncomingAlert, AlertToMake>;
}

interface EventKey extends AlertKey {
  alert: IncomingAlert;
}

/**
 * Returns the distinct pairs of project and fingerprint with their first event, and again with each
 * event that fires after a recovery, since it makes an alert of its own.
 */
function keysOf(events: readonly AlertEvent[]): EventKey[] {
  const keys: EventKey[] = [];
  const hasRecovered = new Map<string, boolean>();
  for (const { source, alert } of events) {
    const { projectId } = source;
    const { fingerprint, isRecovery } = alert;
    const key = matchKey(projectId, fingerprint);
    const before = hasRecovered.get(key);
    const isSuccessor = before === true && !isRecovery;
    if (before === undefined || isSuccessor) {
      keys.push({ projectId, fingerprint, alert, isSuccessor });
    }
    hasRecovered.set(key, isRecovery);
  }
  return keys;
}

function isStored({ origin }: TrackedAlert): boolean {
  return origin === null;
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

/** In the monitoring format each item stands for itself, so an unmatched recovery is left out. */
function outcomeOf({ parsed }: IngestCall, results: (TrackedAlert | null)[]): IngestOutcome {
  const alerts = [...new Set(results.filter((alert) => alert !== null))];
  if (parsed.format === 'plain' && alerts.length === 0) return null;
  return alerts.map(({ iid, title }) => ({ iid, title }));
}

function deliveryOf({ source, via, body }: IngestCall, touched: IngestOutcome): NewDelivery[] {
  if (touched === null) return [];
  const alertIids = touched.map(({ iid }) => iid);
  const { integrationId } = source;
  const size = body.length;
  return [
    { integrationId, via, status: 200, size, error: null, calls: 1, alertIids, payload: body },
  ];
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
