import type { AlertStatus } from './alert-values.js';

/** The system note about a new status; `reason` follows it, such as `by closing issue #17`. */
export function statusNote(status: AlertStatus, reason = ''): string {
  const name = status.charAt(0).toUpperCase() + status.slice(1);
  return `changed the status to **${name}**${reason === '' ? '' : ` ${reason}`}`;
}
