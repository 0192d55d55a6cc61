import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Activity } from '../../activity/activity.service.js';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { openIncidents, type OpenedIncident } from '../../issues/incident-opening.js';
import { writeSystemNotes } from '../../notes/system-notes.js';
import { AlertBot } from '../../users/alert-bot.service.js';
import { STATUS } from '../alert-values.js';
import { incidentSeverity, incidentText, type DescribedAlert } from '../incidents/incident-text.js';
import { IssueTemplates } from '../incidents/issue-templates.service.js';
import type { DueReaction, ReactionOutcome, ReactionWork } from './reaction-work.js';

/** Whether the incident is still wanted is looked at with the alert's row in our hands. */
const LOCK_SQL = `
  SELECT a.id, a.iid, a.project_id AS "projectId", a.title, a.severity, a.started_at AS "startedAt",
    a.query, a.service, a.monitoring_tool AS "monitoringTool", a.hosts, a.description,
    a.incident_markdown AS "incidentMarkdown", n.full_path || '/' || p.path AS "projectPath",
    a.issue_id IS NULL AND a.status <> ${STATUS.resolved} AND coalesce(s.create_issue, false)
      AS "isWanted",
    coalesce(s.confidential_incidents, true) AS "isConfidential",
    p.issues_enabled AND NOT p.archived AND NOT p.pending_delete AS "isPossible"
  FROM alerts a
  JOIN projects p ON p.id = a.project_id
  JOIN namespaces n ON n.id = p.namespace_id
  LEFT JOIN alert_settings s ON s.project_id = a.project_id
  WHERE a.id = ANY($1::bigint[]) ORDER BY a.id FOR NO KEY UPDATE OF a`;

const LINK_SQL = `
  UPDATE alerts a SET issue_id = o.issue_id, updated_at = now()
  FROM unnest($1::bigint[], $2::bigint[]) AS o (alert_id, issue_id) WHERE a.id = o.alert_id`;

interface LockedAlert extends DescribedAlert {
  id: number;
  iid: number;
  projectId: number;
  title: string;
  projectPath: string;
  /** It has no incident yet, is not over, and the project still wants them. */
  isWanted: boolean;
  isConfidential: boolean;
  /** The project takes issues. */
  isPossible: boolean;
}

/** Opens an incident for each alert whose project wants that, many by few statements. */
@Injectable()
export class IncidentOpenings implements ReactionWork {
  readonly kind = 'open_incident';

  constructor(
    private readonly templates: IssueTemplates,
    private readonly bot: AlertBot,
    private readonly activity: Activity,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async react(tx: EntityManager, due: DueReaction[], mayWait: boolean): Promise<ReactionOutcome> {
    const authorId = await this.bot.id();
    const alertIds = due.map(({ alertId }) => alertId);
    // Before the rows are locked: git may take its time, and monitoring tools would wait for it.
    const templates = await this.templates.ofAlerts(tx, alertIds);
    const lock = mayWait ? LOCK_SQL : `${LOCK_SQL} SKIP LOCKED`;
    const alerts = await tx.query<LockedAlert[]>(lock, [alertIds]);
    const wanted = alerts.filter(({ isWanted, isPossible }) => isWanted && isPossible);
    const incidents = wanted.map((alert) => ({
      projectId: alert.projectId,
      authorId,
      title: alert.title,
      description: this.text(alert, templates.get(alert.projectId) ?? null),
      severity: incidentSeverity(alert),
      confidential: alert.isConfidential,
    }));
    await link(tx, { alerts: wanted, authorId }, await openIncidents(tx, incidents, this.activity));
    const locked = new Set(alerts.map(({ id }) => id));
    const busy = mayWait ? [] : alertIds.filter((id) => !locked.has(id));
    return { busy, summary: summaryOf(alerts) };
  }

  private text(alert: LockedAlert, template: string | null): string {
    const page = `${alert.projectPath}/-/alert_management/${alert.iid}/details`;
    return incidentText(alert, { webUrl: `${this.config.baseUrl}/${page}`, template });
  }
}

async function link(
  tx: EntityManager,
  { alerts, authorId }: { alerts: readonly LockedAlert[]; authorId: number },
  opened: readonly OpenedIncident[],
): Promise<void> {
  if (opened.length === 0) return;
  const alertIds = alerts.map(({ id }) => id);
  await tx.query(LINK_SQL, [alertIds, opened.map(({ id }) => id)]);
  const notes = opened.flatMap(({ iid }, position) => {
    const alert = alerts[position];
    const body = `created incident #${iid} for this alert`;
    return alert === undefined ? [] : [{ alertId: alert.id, authorId, body }];
  });
  await writeSystemNotes((text, values) => tx.query(text, values), notes);
}

function summaryOf(alerts: readonly LockedAlert[]): string | null {
  const wanted = alerts.filter(({ isWanted }) => isWanted);
  if (wanted.length === 0) return null;
  const opened = wanted.filter(({ isPossible }) => isPossible).length;
  const refused = wanted.length - opened;
  const rest = refused === 0 ? '' : `, none for ${refused} alerts: their project takes no issues`;
  return `Opened ${opened} incidents${rest}`;
}
