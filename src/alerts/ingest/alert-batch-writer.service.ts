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
} from './alert-ingest.repository.js';
import type { IncomingAlert } from '../parsing/incoming-alert.js';
import type { IngestCall, IngestOutcome } from './alert-source.js';
import {
  AlertStates,
  matchKey,
  type AlertEvent,
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
  async write(calls: readonly IngestCall[]): Promise<IngestOutcome[]> {
    const authorId = await this.bot.id();
    const { outcomes, hasReactions } = await this.sql.transaction(
      (rows) => this.writeCalls(rows, calls, authorId),
      { lock: locksOf(calls), avoidsScans: true },
    );
    if (hasReactions) this.jobs.notify(QUEUES.alerts);
    return outcomes;
  }

  private async writeCalls(
    rows: TransactionRows,
    calls: readonly IngestCall[],
    authorId: number,
  ): Promise<{ outcomes: IngestOutcome[]; hasReactions: boolean }> {
    const events = calls.map(eventsOf);
    const { open, rules, silenced } = await this.readStates(rows, events.flat());
    const states = new AlertStates(open, rules, silenced);
    const touched = events.map((ofCall) => ofCall.map((event) => states.apply(event)));
    // First: an alert that recovered makes room for its successor.
    await this.alerts.applyEvents(
      rows,
      states.tracked.filter(({ origin }) => origin === null),
    );
    await this.insert(rows, states.tracked, states.numbers());
    await writeSystemNotes(rows, notesOf(states.tracked, authorId));
    const reactions = states.tracked.flatMap(reactionsOf);
    if (reactions.length > 0) await this.reactions.insertAll(rows, reactions);
    const outcomes = calls.map((call, at) => outcomeOf(call, touched[at] ?? []));
    await this.deliveries.insertAll(
      rows,
      calls.flatMap((call, at) => deliveryOf(call, outcomes[at] ?? null)),
    );
    return { outcomes, hasReactions: reactions.length > 0 };
  }

  /** Reads and locks the alerts that the events can change. */
  private async readStates(
    rows: TransactionRows,
    events: readonly AlertEvent[],
  ): Promise<StoredStates> {
    const keys = keysOf(events);
    const states: StoredStates = { open: new Map(), rules: new Map(), silenced: new Set() };
    for (const { position, id, ...row } of await this.alerts.lockOpen(rows, keys)) {
      const { projectId, fingerprint, alert } = keys[position - 1] as EventKey;
      const { iid, title, status, issueId, isSilenced, ...rules } = row;
      states.rules.set(projectId, rules);
      const key = matchKey(projectId, fingerprint);
      if (id !== null) states.open.set(key, { id, iid, title, status, issueId, isSilenced });
      else if (isSilenced) states.silenced.add(alert);
    }
    return states;
  }

  /**
   * Inserts the new alerts and sets their ids. One that turns out to be open already replaces its
   * new alert, without the notes about it.
   */
  private async insert(
    rows: TransactionRows,
    tracked: readonly TrackedAlert[],
    lastIids: ReadonlyMap<number, number>,
  ): Promise<void> {
    const made = tracked.filter((alert): alert is NewAlert => alert.origin !== null);
    const inserted = await this.alerts.insertAll(rows, made, lastIids);
    for (const [at, { id, iid, title, issueId }] of inserted.entries()) {
      const alert = made[at] as TrackedAlert;
      if (alert.iid !== iid) {
        alert.origin = null;
        alert.notes = [];
        if (issueId !== null) alert.opensIncident = false;
      }
      Object.assign(alert, { id, iid, title, issueId });
    }
  }
}

/** The stored state of the alerts of a batch. */
interface StoredStates {
  open: Map<string, OpenAlert>;
  rules: Map<number, ProjectRules>;
  /** Events whose new alert is silenced. */
  silenced: Set<IncomingAlert>;
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

/** Returns the system notes in the order of the alerts, all of which have their ids. */
function notesOf(tracked: readonly TrackedAlert[], authorId: number) {
  return tracked.flatMap(({ id, notes }) =>
    notes.map((body) => ({ alertId: id as number, authorId, body })),
  );
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
