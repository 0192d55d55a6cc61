import type { TransactionRows } from '../../core/sql/sql.service.js';
import { writeSystemNotes } from '../../notes/system-notes.js';
import type { ReactionKind } from '../alert-reaction.entity.js';
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

/** At most one incident is asked for at a time. */
const REACTIONS_SQL = `
  INSERT INTO alert_reactions (alert_id, kind, events)
  SELECT alert_id, kind, events
  FROM unnest($1::bigint[], $2::text[], $3::int[]) WITH ORDINALITY
    AS r (alert_id, kind, events, position)
  ORDER BY position
  ON CONFLICT (alert_id) WHERE kind = 'open_incident' DO NOTHING`;

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

/** Writes what the worker has to do about the alerts; says whether that is anything. */
export async function writeReactions(
  rows: TransactionRows,
  tracked: readonly TrackedAlert[],
): Promise<boolean> {
  const reactions = tracked.flatMap((alert) =>
    reactionsOf(alert).map(({ kind, events }) => ({ alertId: alert.id, kind, events })),
  );
  if (reactions.length === 0) return false;
  await rows(REACTIONS_SQL, [
    reactions.map(({ alertId }) => alertId),
    reactions.map(({ kind }) => kind),
    reactions.map(({ events }) => events),
  ]);
  return true;
}

function reactionsOf(alert: TrackedAlert): { kind: ReactionKind; events: number }[] {
  const reactions: { kind: ReactionKind; events: number }[] = [];
  if (alert.opensIncident) reactions.push({ kind: 'open_incident', events: 1 });
  if (alert.firingMails > 0) reactions.push({ kind: 'mail_firing', events: alert.firingMails });
  if (alert.mailsRecovery) reactions.push({ kind: 'mail_recovery', events: 1 });
  if (alert.closesIncident) reactions.push({ kind: 'close_incident', events: 1 });
  return reactions;
}
