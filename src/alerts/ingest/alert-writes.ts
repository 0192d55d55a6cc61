import type { TransactionRows } from '../../core/sql/sql.service.js';
import { writeSystemNotes } from '../../notes/system-notes.js';
import type { TrackedAlert } from './tracked-alert.js';

/** Counts and resolves; columns that keep their value do not cost an update of their indexes. */
const UPDATE_SQL = `
  UPDATE alerts a SET
    event_count = a.event_count + c.events,
    last_event_at = CASE WHEN c.events > 0 THEN now() ELSE a.last_event_at END,
    status = CASE WHEN c.ended_at IS NULL THEN a.status ELSE 2 END,
    ended_at = coalesce(c.ended_at, a.ended_at),
    updated_at = CASE WHEN c.ended_at IS NULL THEN a.updated_at ELSE now() END
  FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) AS c (id, events, ended_at)
  WHERE a.id = c.id`;

/** Counts and resolves the alerts that are stored already. */
export async function updateAlerts(
  rows: TransactionRows,
  tracked: readonly TrackedAlert[],
): Promise<void> {
  const stored = tracked.filter(({ origin }) => origin === null);
  if (stored.length === 0) return;
  await rows(UPDATE_SQL, [
    stored.map(({ id }) => id),
    stored.map(({ events }) => events),
    stored.map(({ endedAt }) => endedAt?.toISOString() ?? null),
  ]);
}

/** Writes the system notes in the order of the alerts; all alerts must have their ids. */
export async function writeNotes(
  rows: TransactionRows,
  tracked: readonly TrackedAlert[],
  authorId: number,
): Promise<void> {
  const notes = tracked.flatMap(({ id, notes: bodies }) =>
    bodies.map((body) => ({ alertId: id as number, authorId, body })),
  );
  await writeSystemNotes(rows, notes);
}
