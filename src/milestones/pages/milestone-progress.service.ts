import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/viewer.js';
import { Sql } from '../../core/sql/sql.service.js';
import { canInProject } from '../../members/abilities.js';
import { VISIBILITY } from '../../members/visibility.js';
import type { ProjectRow } from '../../projects/project-row.js';

/** How many issues work towards a milestone, and how many of them are done. */
export interface Progress {
  total: number;
  closed: number;
}

/** Confidential issues count for those only who see them. */
const SQL = `
  SELECT i.milestone_id AS id, count(*)::int AS total,
    count(*) FILTER (WHERE i.state = 'closed')::int AS closed
  FROM issues i
  WHERE i.milestone_id = ANY($1::bigint[]) AND (NOT i.confidential OR $2 OR i.author_id = $3)
  GROUP BY i.milestone_id`;

const NOTHING: Progress = { total: 0, closed: 0 };

/** Counts the issues of milestones that the viewer of a page may see. */
@Injectable()
export class MilestoneProgress {
  constructor(private readonly sql: Sql) {}

  /** By the ids of the milestones; null in a project that has issues turned off. */
  async of(
    project: ProjectRow,
    viewer: Viewer | null,
    ids: readonly number[],
  ): Promise<((id: number) => Progress) | null> {
    if (!project.issuesEnabled) return null;
    const access = { ...project, visibility: VISIBILITY.private, viewer };
    const seesAll = canInProject('read_confidential_issue', access);
    const values = [ids, seesAll, viewer?.id ?? null];
    const rows = await this.sql.rows<Progress & { id: number }>(SQL, values);
    const found = new Map(rows.map(({ id, total, closed }) => [id, { total, closed }]));
    return (id) => found.get(id) ?? NOTHING;
  }
}
