import type { EntityManager } from 'typeorm';

/** How long a project is taken for touched without looking again. */
const LOOK_AGAIN_MS = 5 * 60_000;
const MAX_KNOWN = 10_000;

/**
 * Never waits: whoever holds the project's row is changing it, and waiting for a row so late in
 * others' transactions would invite deadlocks. The sum keeps the index of all projects by their
 * activity out of the plan.
 */
const TOUCH_SQL = `
  UPDATE projects SET last_activity_at = now() WHERE id IN (
    SELECT id FROM projects
    WHERE id = ANY($1) AND last_activity_at + interval '1 hour' < now()
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`;

/**
 * Moves `last_activity_at` of projects in which something happens when it is older than an hour
 * (reference, Events, side effects); remembers where it looked, so that events cost nothing more.
 */
export class ProjectTouches {
  private readonly known = new Map<number, number>();

  async touch(tx: EntityManager, projectIds: readonly number[]): Promise<void> {
    const due = this.due(new Set(projectIds), Date.now());
    if (due.length > 0) await tx.query(TOUCH_SQL, [due]);
  }

  private due(ids: ReadonlySet<number>, now: number): number[] {
    const due = [...ids].filter((id) => (this.known.get(id) ?? 0) <= now);
    if (this.known.size + due.length > MAX_KNOWN) this.known.clear();
    for (const id of due) this.known.set(id, now + LOOK_AGAIN_MS);
    return due;
  }
}
