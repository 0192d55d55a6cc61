/** Severities as the API names them, most critical first; the position is what the database keeps. */
export const ALERT_SEVERITIES = ['critical', 'high', 'medium', 'low', 'info', 'unknown'] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];

/** Statuses as the API names them; the position is what the database keeps. */
export const ALERT_STATUSES = ['triggered', 'acknowledged', 'resolved', 'ignored'] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

/** Numbers of the statuses in the database: `STATUS.resolved`. */
export const STATUS = { triggered: 0, acknowledged: 1, resolved: 2, ignored: 3 } as const;

/** Number of a severity in the database, 0 for the most critical. */
export function severityNumber(severity: AlertSeverity): number {
  return ALERT_SEVERITIES.indexOf(severity);
}

/** Number of a status in the database. */
export function statusNumber(status: AlertStatus): number {
  return STATUS[status];
}

/** The severity of a row. */
export function severityOf(number: number): AlertSeverity {
  return ALERT_SEVERITIES[number] ?? 'unknown';
}

/** The status of a row; throws for a number that the database does not allow either. */
export function statusOf(number: number): AlertStatus {
  const status = ALERT_STATUSES[number];
  if (status === undefined) throw new RangeError(`No alert has the status ${number}`);
  return status;
}

/** The system note about a new status; `reason` follows it, such as `by closing issue #17`. */
export function statusNote(status: AlertStatus, reason = ''): string {
  const name = status.charAt(0).toUpperCase() + status.slice(1);
  return `changed the status to **${name}**${reason === '' ? '' : ` ${reason}`}`;
}
