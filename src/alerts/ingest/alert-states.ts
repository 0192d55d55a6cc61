import { inlineMarkdown } from '../../core/inline-markdown.js';
import { STATUS } from '../alert-values.js';
import type { IncomingAlert, PayloadFormat } from '../parsing/incoming-alert.js';
import type { AlertSource } from './alert-source.js';

/** Rules of a project that decide about its alerts. */
export interface ProjectRules {
  createIssue: boolean;
  sendEmail: boolean;
  autoCloseIncident: boolean;
  /** The highest number that an alert of the project has. */
  lastIid: number;
}

/** An alert that is stored and not resolved. */
export interface OpenAlert {
  id: number;
  iid: number;
  title: string;
  status: number;
  issueId: number | null;
  /** True if it notifies no one. */
  isSilenced: boolean;
}

/** ID and silence of an alert that an event can create. */
export interface CreatableAlert {
  id: number;
  /** True if it notifies no one. */
  isSilenced: boolean;
}

/** An alert that a batch concerns, as it is to be once the batch is written. */
export interface TrackedAlert {
  id: number;
  projectId: number;
  iid: number;
  title: string;
  status: number;
  issueId: number | null;
  /** True if it notifies no one. */
  isSilenced: boolean;
  /** Alert to insert; null when it is stored already. */
  origin: { alert: IncomingAlert; integrationId: number } | null;
  /** Events that the batch adds. */
  events: number;
  /** Set when the batch resolves it. */
  endedAt: Date | null;
  /** System notes that the batch adds, Markdown. */
  notes: string[];
  /** Number of events to send emails about. */
  firingMails: number;
  mailsRecovery: boolean;
  opensIncident: boolean;
  closesIncident: boolean;
}

/** The stored alert before anything of the batch happened to it. */
function trackStored(projectId: number, open: OpenAlert): TrackedAlert {
  return { ...untouched(), ...open, projectId, origin: null };
}

/** An alert that the batch makes; its first event is still to be counted. */
function trackNew(
  alert: IncomingAlert,
  ids: { projectId: number; integrationId: number; iid: number },
  creatable: CreatableAlert,
): TrackedAlert {
  const { projectId, integrationId, iid } = ids;
  const { title } = alert;
  const origin = { alert, integrationId };
  return { ...untouched(), ...creatable, projectId, iid, title, issueId: null, origin };
}

function untouched() {
  return {
    status: 0,
    events: 0,
    endedAt: null,
    notes: [] as string[],
    firingMails: 0,
    mailsRecovery: false,
    opensIncident: false,
    closesIncident: false,
  };
}

/** One alert of a call, with who sent it. */
export interface AlertEvent {
  alert: IncomingAlert;
  source: Pick<AlertSource, 'integrationId' | 'projectId' | 'name'>;
  format: PayloadFormat;
}

/** Returns the key that events share with their open alert. */
export function matchKey(projectId: number, fingerprint: Buffer): string {
  return `${projectId}:${fingerprint.toString('latin1')}`;
}

/** A project and a fingerprint. */
export interface EventKey {
  projectId: number;
  fingerprint: Buffer;
  /** The first event with them, or one that fires after a recovery. */
  alert: IncomingAlert;
  /** True after a recovery: the alert that was open by then does not count. */
  isSuccessor: boolean;
}

/**
 * Returns the distinct pairs of project and fingerprint with their first event, and again with each
 * event that fires after a recovery, since it makes an alert of its own.
 */
export function keysOf(events: readonly AlertEvent[]): EventKey[] {
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

/**
 * Applies the events of a batch to alerts, in their order. Knows the open alerts that match and the
 * rules of all projects concerned; changes nothing but its own records.
 */
export class AlertStates {
  /** Alerts to be written, in the order in which they were first touched. */
  readonly tracked: TrackedAlert[] = [];
  private readonly open = new Map<string, TrackedAlert>();
  private readonly touched = new Set<TrackedAlert>();
  private readonly lastIids = new Map<number, number>();

  constructor(
    stored: ReadonlyMap<string, OpenAlert>,
    private readonly rules: ReadonlyMap<number, ProjectRules>,
    /** By the event that can make it. */
    private readonly creatable: ReadonlyMap<IncomingAlert, CreatableAlert>,
  ) {
    for (const [key, alert] of stored) this.open.set(key, trackStored(projectOf(key), alert));
  }

  /** The alert that the event made, counted or resolved; null for a recovery of none. */
  apply(event: AlertEvent): TrackedAlert | null {
    const { alert, source } = event;
    const key = matchKey(source.projectId, alert.fingerprint);
    const match = this.open.get(key);
    if (!alert.isRecovery) {
      const fired = match ?? this.make(event, key);
      this.fire(fired);
      return this.touch(fired);
    }
    if (match === undefined) return null;
    this.resolve(match, event);
    this.open.delete(key);
    return this.touch(match);
  }

  /** The highest number of each project that got new alerts. */
  numbers(): ReadonlyMap<number, number> {
    return this.lastIids;
  }

  private make({ alert, source, format }: AlertEvent, key: string): TrackedAlert {
    const { projectId, integrationId, name } = source;
    const iid = (this.lastIids.get(projectId) ?? this.rulesOf(projectId).lastIid) + 1;
    this.lastIids.set(projectId, iid);
    const ids = { projectId, integrationId, iid };
    const creatable = this.creatable.get(alert);
    if (creatable === undefined) throw new Error(`No id for alert ${iid} of project ${projectId}`);
    const made = trackNew(alert, ids, creatable);
    made.notes.push(`logged an alert from **${sourceName(alert, { format, integration: name })}**`);
    this.open.set(key, made);
    return made;
  }

  private fire(alert: TrackedAlert): void {
    const { createIssue, sendEmail } = this.rulesOf(alert.projectId);
    alert.events += 1;
    if (alert.isSilenced) return;
    if (sendEmail && alert.status === STATUS.triggered) alert.firingMails += 1;
    if (createIssue && alert.issueId === null) alert.opensIncident = true;
  }

  private resolve(match: TrackedAlert, { alert, source, format }: AlertEvent): void {
    const { sendEmail, autoCloseIncident } = this.rulesOf(match.projectId);
    const name = sourceName(alert, { format, integration: source.name });
    match.status = STATUS.resolved;
    match.endedAt = alert.endedAt;
    match.notes.push(`logged a recovery alert from **${name}**`);
    match.notes.push('changed the status to **Resolved**');
    if (sendEmail && !match.isSilenced) match.mailsRecovery = true;
    if (autoCloseIncident && match.issueId !== null) match.closesIncident = true;
  }

  private touch(alert: TrackedAlert): TrackedAlert {
    if (!this.touched.has(alert)) {
      this.touched.add(alert);
      this.tracked.push(alert);
    }
    return alert;
  }

  private rulesOf(projectId: number): ProjectRules {
    const rules = this.rules.get(projectId);
    if (rules === undefined) throw new Error(`The rules of project ${projectId} were not read`);
    return rules;
  }
}

function projectOf(key: string): number {
  return Number(key.slice(0, key.indexOf(':')));
}

const OWN_NAMES = { plain: 'Generic Alert Endpoint', prometheus: 'Prometheus' } as const;

/** Returns the name of an alert's source for notes, in Markdown. */
function sourceName(
  alert: Pick<IncomingAlert, 'monitoringTool'>,
  { format, integration }: { format: PayloadFormat; integration: string },
): string {
  const tool = format === 'plain' ? alert.monitoringTool : null;
  return inlineMarkdown(tool || integration || OWN_NAMES[format]);
}
