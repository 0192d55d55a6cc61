import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Viewer } from '../core/access/auth-context.js';
import { Activity } from '../core/activity/activity.service.js';
import { ConflictError, NotFoundError } from '../core/errors.js';
import { assertTakesIssues } from '../workspace/issues/issue-rules.js';
import { openIncidents } from '../workspace/issues/sql/incidents.js';
import { Issue } from '../workspace/issues/issue.entity.js';
import { IssuesRepository } from '../workspace/issues/issues.repository.js';
import { writeSystemNotes } from '../workspace/notes/notes.repository.js';
import { fullPathOf } from '../workspace/projects/projects.repository.js';
import { AlertSetting } from './alert-settings.repository.js';
import { alertWebUrl } from './alert.presenter.js';
import { AlertIncidentsRepository } from './alert-incidents.repository.js';
import { Alert } from './alert.entity.js';
import { type ProjectAlert, resolveAlerts } from './alerts.service.js';
import { Clock } from '../core/clock.js';
import { IssueStates, type ClosedIssues } from '../workspace/issues/issue-states.service.js';
import { AlertsRepository } from './alerts.repository.js';
import { statusNote } from './alert-values.js';
import { incidentSeverity, incidentText } from './incidents/incident-attributes.js';
import { IssueTemplates } from './incidents/issue-templates.service.js';

/** User who links an alert to an issue or unlinks them. */
type Person = Pick<Viewer, 'id'>;

interface Link {
  alertId: number;
  issueId: number | null;
  authorId: number;
  note: string;
}

/**
 * Creates incidents for alerts by hand, links alerts to issues and unlinks them. Closing an issue
 * resolves its alerts.
 */
@Injectable()
export class AlertIncidents implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly incidents: AlertIncidentsRepository,
    private readonly issues: IssuesRepository,
    private readonly templates: IssueTemplates,
    private readonly activity: Activity,
    private readonly alerts: AlertsRepository,
    private readonly states: IssueStates,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.states.onClosed((tx, closed) => this.resolveAlertsOf(tx, closed));
  }

  /**
   * Returns the number of the new incident. The caller checks permissions; 403 in a project without
   * issues, 409 when the alert has an issue already.
   */
  async open(
    { project, alert }: ProjectAlert,
    { id: authorId }: Person,
    baseUrl: string,
  ): Promise<number> {
    assertTakesIssues(project);
    const webUrl = alertWebUrl(baseUrl, fullPathOf(project), alert.iid);
    const templates = await this.templates.ofAlerts(this.dataSource.manager, [alert.id]);
    const template = templates.get(project.id) ?? null;
    const incident = {
      projectId: project.id,
      authorId,
      title: alert.title,
      description: incidentText(alert, { webUrl, template }),
      severity: incidentSeverity(alert),
    };
    return this.dataSource.transaction(async (tx) => {
      await this.assertWithoutIssue(tx, alert.id);
      const settings = await tx.findOneBy(AlertSetting, { projectId: project.id });
      const confidential = settings?.confidentialIncidents ?? true;
      const [opened] = await openIncidents(tx, [{ ...incident, confidential }], this.activity);
      if (opened === undefined) throw new NotFoundError('Project');
      const note = `created incident #${opened.iid} for this alert`;
      await link(tx, { alertId: alert.id, issueId: opened.id, authorId, note });
      return opened.iid;
    });
  }

  /**
   * Links an issue of the alert's project. Throws 403 in a project without issues, 404 for an issue
   * that the viewer cannot see, 409 when the alert has an issue already.
   */
  async link({ project, alert }: ProjectAlert, issueIid: number, viewer: Viewer): Promise<void> {
    assertTakesIssues(project);
    const issue = await this.issues.findVisible(viewer, project.id, issueIid);
    await this.dataSource.transaction(async (tx) => {
      // In the order in which closing an issue locks both.
      await this.incidents.lockIssue(tx, issue.id);
      await this.assertWithoutIssue(tx, alert.id);
      const note = `linked issue #${issue.iid} to this alert`;
      await link(tx, { alertId: alert.id, issueId: issue.id, authorId: viewer.id, note });
    });
  }

  /** Throws 403 in a project without issues, 404 when the alert has no issue. */
  async unlink({ project, alert }: ProjectAlert, { id: authorId }: Person): Promise<void> {
    assertTakesIssues(project);
    await this.dataSource.transaction(async (tx) => {
      const issueId = await this.incidents.lockIssueId(tx, alert.id);
      const issue = issueId === null ? null : await tx.findOneBy(Issue, { id: issueId });
      if (issue === null) throw new NotFoundError('Issue');
      const note = `unlinked issue #${issue.iid} from this alert`;
      await link(tx, { alertId: alert.id, issueId: null, authorId, note });
    });
  }

  /** Resolves the alerts of closed issues, in the same transaction. */
  private async resolveAlertsOf(
    tx: EntityManager,
    { issueIds, actorId }: ClosedIssues,
  ): Promise<void> {
    const alerts = await this.incidents.listOpenAlerts(tx, issueIds);
    const issues = new Map(alerts.map(({ id, issueIid }) => [id, issueIid]));
    await resolveAlerts(this.alerts, (text, values) => tx.query(text, values), {
      alertIds: [...issues.keys()],
      endedAt: this.clock.now(),
      authorId: actorId,
      notes: ({ id }) => [statusNote('resolved', `by closing issue #${issues.get(id)}`)],
    });
  }

  private async assertWithoutIssue(tx: EntityManager, alertId: number): Promise<void> {
    const issueId = await this.incidents.lockIssueId(tx, alertId);
    if (issueId !== null) throw new ConflictError('An issue already exists');
  }
}

async function link(tx: EntityManager, { alertId, issueId, authorId, note }: Link): Promise<void> {
  await tx.update(Alert, { id: alertId }, { issueId, updatedAt: () => 'now()' });
  const notes = [{ alertId, authorId, body: note }];
  await writeSystemNotes((text, values) => tx.query(text, values), notes);
}
