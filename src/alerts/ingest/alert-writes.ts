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

/**
 * At most one incident is asked for at a time. A row that waits for others is due with the one that
 * waits already, so that a worker finds them together; none joins a row that failed, which may wait
 * for an hour.
 */
const REACTIONS_SQL = `
  INSERT INTO alert_reactions (alert_id, kind, events, not_before)
  SELECT alert_id, kind, events, CASE WHEN waits THEN coalesce(
    (SELECT w.not_before FROM alert_reactions w WHERE w.alert_id = r.alert_id AND w.kind = r.kind
       AND w.attempts = 0 AND w.not_before > now() LIMIT 1),
    now() + interval '5 seconds') ELSE now() END
  FROM unnest($1::bigint[], $2::text[], $3::int[], $4::boolean[]) WITH ORDINALITY
    AS r (alert_id, kind, events, waits, position)
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
    reactionsOf(alert).map((reaction) => ({ ...reaction, alertId: alert.id })),
  );
  if (reactions.length === 0) return false;
  await rows(REACTIONS_SQL, [
    reactions.map(({ alertId }) => alertId),
    reactions.map(({ kind }) => kind),
    reactions.map(({ events }) => events),
    reactions.map(({ waits }) => waits),
  ]);
  return true;
}

interface Reaction {
  kind: ReactionKind;
  events: number;
  /** For others that may follow at once. */
  waits: boolean;
}

/** People hear of a new alert at once; further events come in bursts. */
function reactionsOf(alert: TrackedAlert): Reaction[] {
  const once = { events: 1, waits: false };
  const reactions: Reaction[] = [];
  if (alert.opensIncident) reactions.push({ ...once, kind: 'open_incident' });
  if (alert.firingMails > 0) {
    const waits = alert.origin === null;
    reactions.push({ kind: 'mail_firing', events: alert.firingMails, waits });
  }
  if (alert.mailsRecovery) reactions.push({ ...once, kind: 'mail_recovery' });
  if (alert.closesIncident) reactions.push({ ...once, kind: 'close_incident' });
  return reactions;
}
