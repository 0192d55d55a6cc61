import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Sql } from '../../core/sql/sql.service.js';
import { IssueSections } from '../../issues/pages/issue-sections.service.js';
import { canInProject } from '../../members/abilities.js';
import { LinkedErrorsCard, type LinkedError } from './linked-errors.js';

/** More are counted, not listed. */
const MOST = 20;

const SQL = `SELECT id, type, value, culprit, level, status, events_count AS "eventsCount",
    last_seen_at AS "lastSeenAt", count(*) OVER ()::int AS total
  FROM errors WHERE issue_id = $1 AND project_id = $2 ORDER BY status, id LIMIT ${MOST}`;

/** Shows the errors of an issue on its page, to who may read errors. */
@Injectable()
export class LinkedErrors implements OnModuleInit {
  constructor(
    private readonly sections: IssueSections,
    private readonly sql: Sql,
  ) {}

  onModuleInit(): void {
    this.sections.add(async ({ issue, project, shell }) => {
      if (!canInProject('read_error', { ...project, viewer: shell.viewer })) return null;
      const errors = await this.sql.rows<LinkedError>(SQL, [issue.id, project.id]);
      return errors.length === 0 ? null : LinkedErrorsCard({ project, errors });
    });
  }
}
