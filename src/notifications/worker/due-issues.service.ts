import { Injectable } from '@nestjs/common';
import { NOTICE_KINDS, NOTICE_TARGETS } from '../../activity/notice-kinds.js';
import { Clock } from '../../core/clock.js';
import { Sql } from '../../core/sql/sql.service.js';

/** From this time of the day on (UTC). */
const FROM_MINUTE = 50;

/** Whoever notes the day first does it: others wait for that and do nothing. */
const TELL_SQL = `
  WITH run AS (INSERT INTO due_runs (day) VALUES ($1) ON CONFLICT DO NOTHING RETURNING day),
  told AS (
    INSERT INTO notices (kind, project_id, target_type, target_id)
    SELECT ${NOTICE_KINDS.issue_due}, i.project_id, ${NOTICE_TARGETS.issue}, i.id
    FROM run JOIN issues i ON i.due_date = run.day + 1 WHERE i.state = 'opened'
    ORDER BY i.id RETURNING 1)
  SELECT count(*)::integer AS count FROM told`;

/** Tells people once a day of the open issues that are due on the next one (UTC). */
@Injectable()
export class DueIssues {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** Answers how many issues it told of; none before 00:50 and when it is done for today. */
  async tell(): Promise<number> {
    const now = this.clock.now();
    if (now.getUTCHours() * 60 + now.getUTCMinutes() < FROM_MINUTE) return 0;
    const told = await this.sql.row<{ count: number }>(TELL_SQL, [now.toISOString().slice(0, 10)]);
    return told?.count ?? 0;
  }
}
