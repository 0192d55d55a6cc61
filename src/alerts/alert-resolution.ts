import { writeSystemNotes, type RunStatement } from '../workspace/notes/notes.repository.js';
import type { AlertsRepository, ResolvedAlert } from './alerts.repository.js';

interface Resolution {
  alertIds: readonly number[];
  endedAt: Date;
  authorId: number;
  /** Markdown of the system notes about it, in their order. */
  notes: (alert: ResolvedAlert) => string[];
}

/** Resolves the open ones of the alerts, adds system notes to them and returns them. */
export async function resolveAlerts(
  alerts: AlertsRepository,
  run: RunStatement,
  { alertIds, endedAt, authorId, notes }: Resolution,
): Promise<ResolvedAlert[]> {
  if (alertIds.length === 0) return [];
  const resolved = await alerts.resolve(run, alertIds, endedAt);
  const written = resolved.flatMap((alert) =>
    notes(alert).map((body) => ({ alertId: alert.id, authorId, body })),
  );
  await writeSystemNotes(run, written);
  return resolved;
}
