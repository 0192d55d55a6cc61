import { Injectable } from '@nestjs/common';
import { EVENT_ACTIONS, EVENT_TARGETS } from '../activity/event-kinds.js';
import type { Viewer } from '../core/access/viewer.js';
import { Clock } from '../core/clock.js';
import { Conditions } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import { rightsInAny } from './event-rights.js';
import { visibleEventSql } from './event-visibility.js';
import { onceForProjects } from './project-rights.js';

/** A day in UTC, `2026-05-04`, and how much somebody contributed on it. */
export interface ContributionDay {
  day: string;
  count: number;
}

const { pushed, commented, created, closed, merged, approved } = EVENT_ACTIONS;

/** Pushes and comments always count, the rest of issues and merge requests (reference, calendar). */
const IS_CONTRIBUTION = `e.action IN (${pushed}, ${commented})
  OR (e.action IN (${created}, ${closed}, ${merged}, ${approved})
    AND e.target_type IN (${EVENT_TARGETS.issue}, ${EVENT_TARGETS.merge_request}))`;

/** Counts what people contributed, as the asker may see it. */
@Injectable()
export class ContributionsFinder {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** The days of the last twelve months with contributions, oldest first. */
  async ofUser(userId: number, viewer: Viewer | null): Promise<ContributionDay[]> {
    const where = new Conditions();
    where.and(`e.author_id = ${where.value(userId)}`);
    where.and(`e.created_at >= ${where.value(firstDay(this.clock.now()))}`);
    where.and(IS_CONTRIBUTION);
    const { rights, columns } = onceForProjects(rightsInAny(where, viewer));
    const visible = visibleEventSql(where, rights);
    const text = statement({ events: where.toString(), columns: columns(), visible });
    return this.sql.rows<ContributionDay>(text, where.values);
  }
}

/**
 * Pushes to a project on one day are one row from the beginning; all else is looked at on its own,
 * with what the asker may do in its project at hand.
 */
function statement(parts: { events: string; columns: string; visible: string }): string {
  return `
    WITH contributions AS MATERIALIZED (
      SELECT (e.created_at AT TIME ZONE 'UTC')::date AS day, e.project_id, e.action, e.target_type,
        e.target_id, e.noteable_type, e.noteable_id, count(*)::int AS count
      FROM events e WHERE ${parts.events} GROUP BY 1, 2, 3, 4, 5, 6, 7),
    rights AS MATERIALIZED (
      SELECT ${parts.columns} FROM projects p WHERE NOT p.pending_delete
        AND p.id = ANY(ARRAY(SELECT DISTINCT e.project_id FROM contributions e)))
    SELECT to_char(e.day, 'YYYY-MM-DD') AS day, sum(e.count)::int AS count
    FROM contributions e JOIN rights p ON p.id = e.project_id
    WHERE ${parts.visible} GROUP BY e.day ORDER BY e.day`;
}

/** Midnight of the same day a year ago; of 29 February the first of March. */
export function firstDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear() - 1, now.getUTCMonth(), now.getUTCDate()));
}
