import { beginningOfText } from '../core/sql/listed-text.js';
import type { Milestone } from './milestone.entity.js';

/** A milestone as it is read. */
export interface MilestoneRow extends Milestone {
  /** Was to be done before today. */
  expired: boolean;
}

/** A milestone as a member of the row of what works towards it. */
export type JoinedMilestone = Omit<MilestoneRow, 'createdAt' | 'updatedAt'> &
  Record<'createdAt' | 'updatedAt', string>;

const EXPIRED = `coalesce(m.due_date < (now() AT TIME ZONE 'UTC')::date, false)`;

export const milestoneColumns = (description = 'm.description'): string => `
  m.id, m.project_id AS "projectId", m.iid, m.title, ${description} AS description, m.state,
  m.start_date AS "startDate", m.due_date AS "dueDate", ${EXPIRED} AS expired,
  m.created_at AS "createdAt", m.updated_at AS "updatedAt"`;

/** The JoinedMilestone with that id, null when there is none; `id` is an SQL expression. */
export const joinedMilestoneSql = (id: string): string => `
  (SELECT json_build_object('id', m.id, 'projectId', m.project_id, 'iid', m.iid,
     'title', m.title, 'description', ${beginningOfText('m.description')}, 'state', m.state,
     'startDate', m.start_date, 'dueDate', m.due_date, 'expired', ${EXPIRED},
     'createdAt', m.created_at, 'updatedAt', m.updated_at)
   FROM milestones m WHERE m.id = ${id})`;
