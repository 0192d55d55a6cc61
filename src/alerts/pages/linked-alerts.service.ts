import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Sql } from '../../core/sql/sql.service.js';
import { IssueSections } from '../../issues/pages/issue-sections.service.js';
import { canInProject } from '../../members/abilities.js';
import { LinkedAlertsCard, type LinkedAlert } from './linked-alerts.js';

/** More are counted, not listed. */
const MOST = 20;

const SQL = `SELECT iid, title, severity, status, event_count AS "eventCount",
    count(*) OVER ()::int AS total
  FROM alerts WHERE issue_id = $1 AND project_id = $2 ORDER BY status, id LIMIT ${MOST}`;

/** Shows the alerts of an incident on its page, to who may read alerts. */
@Injectable()
export class LinkedAlerts implements OnModuleInit {
  constructor(
    private readonly sections: IssueSections,
    private readonly sql: Sql,
  ) {}

  onModuleInit(): void {
    this.sections.add(async ({ issue, project, shell }) => {
      if (!canInProject('read_alert', { ...project, viewer: shell.viewer })) return null;
      const alerts = await this.sql.rows<LinkedAlert>(SQL, [issue.id, project.id]);
      return alerts.length === 0 ? null : LinkedAlertsCard({ project, alerts });
    });
  }
}
