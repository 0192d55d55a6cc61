import { Injectable } from '@nestjs/common';
import { EVENT_ACTIONS, EVENT_TARGETS } from '../activity/event-kinds.js';
import type { Viewer } from '../core/access/viewer.js';
import { Clock } from '../core/clock.js';
import { Conditions } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import { rightsInAny } from './event-rights.js';
import { visibleEventSql } from './event-visibility.js';

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
    const visible = visibleEventSql(where, rightsInAny(where, viewer));
    where.and(
      `(SELECT NOT p.pending_delete AND ${visible} FROM projects p WHERE p.id = e.project_id)`,
    );
    return this.sql.rows<ContributionDay>(
      `SELECT to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*)::int AS count
       FROM events e WHERE ${where.toString()} GROUP BY 1 ORDER BY 1`,
      where.values,
    );
  }
}

/** Midnight of the same day a year ago; of 29 February the first of March. */
export function firstDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear() - 1, now.getUTCMonth(), now.getUTCDate()));
}
