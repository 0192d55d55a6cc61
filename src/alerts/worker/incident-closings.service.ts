import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IssueStates } from '../../issues/issue-states.service.js';
import { writeSystemNotes } from '../../notes/system-notes.js';
import { AlertBot } from '../../users/alert-bot.service.js';
import { STATUS } from '../alert-values.js';
import type { DueReaction, ReactionOutcome, ReactionWork } from './reaction-work.js';

const ISSUES_SQL = `
  SELECT DISTINCT issue_id AS id FROM alerts WHERE id = ANY($1::bigint[]) AND issue_id IS NOT NULL`;

/**
 * Incidents first and then their alerts, as when people close them: two transactions would wait
 * for each other otherwise.
 */
const LOCK_SQL = `
  SELECT i.id FROM issues i
  JOIN projects p ON p.id = i.project_id
  LEFT JOIN alert_settings s ON s.project_id = i.project_id
  WHERE i.id = ANY($1::bigint[]) AND i.state = 'opened' AND i.issue_type = 'incident'
    AND NOT p.archived AND NOT p.pending_delete AND coalesce(s.auto_close_incident, true)
  ORDER BY i.id FOR UPDATE OF i`;

const OVER_SQL = `
  SELECT i.id FROM unnest($1::bigint[]) AS i (id)
  WHERE NOT EXISTS (
    SELECT FROM alerts a WHERE a.issue_id = i.id AND a.status <> ${STATUS.resolved})
  ORDER BY i.id`;

const NOTE = 'automatically closed this incident because the alert resolved';

interface Identified {
  id: number;
}

/** Closes incidents whose alerts have all recovered. */
@Injectable()
export class IncidentClosings implements ReactionWork {
  readonly kind = 'close_incident';

  constructor(
    private readonly states: IssueStates,
    private readonly bot: AlertBot,
  ) {}

  async react(tx: EntityManager, due: DueReaction[]): Promise<ReactionOutcome> {
    const actorId = await this.bot.id();
    const alertIds = due.map(({ alertId }) => alertId);
    const issues = await tx.query<Identified[]>(ISSUES_SQL, [alertIds]);
    const open = await tx.query<Identified[]>(LOCK_SQL, [idsOf(issues)]);
    const over = await tx.query<Identified[]>(OVER_SQL, [idsOf(open)]);
    const closed = await this.states.close(tx, idsOf(over), { actorId });
    const notes = closed.map((issueId) => ({ issueId, authorId: actorId, body: NOTE }));
    await writeSystemNotes((text, values) => tx.query(text, values), notes);
    const summary = closed.length === 0 ? null : `Closed ${closed.length} incidents`;
    return { busy: [], summary };
  }
}

function idsOf(rows: readonly Identified[]): number[] {
  return rows.map(({ id }) => id);
}
