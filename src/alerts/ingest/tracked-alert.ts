import type { IncomingAlert } from '../parsing/incoming-alert.js';

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
}

/** An alert that a batch concerns, as it is to be once the batch is written. */
export interface TrackedAlert {
  /** null until it is inserted. */
  id: number | null;
  projectId: number;
  iid: number;
  title: string;
  status: number;
  issueId: number | null;
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
export function trackStored(projectId: number, open: OpenAlert): TrackedAlert {
  return { ...untouched(), ...open, projectId, origin: null };
}

/** An alert that the batch makes; its first event is still to be counted. */
export function trackNew(
  alert: IncomingAlert,
  place: { projectId: number; integrationId: number; iid: number },
): TrackedAlert {
  const { projectId, integrationId, iid } = place;
  const origin = { alert, integrationId };
  return { ...untouched(), id: null, projectId, iid, title: alert.title, issueId: null, origin };
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
