import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Activity } from '../../core/activity/activity.service.js';
import { counted } from '../../core/ui/amounts.js';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { openIncidents, type OpenedIncident } from '../../workspace/issues/sql/incidents.js';
import { writeSystemNotes } from '../../workspace/notes/notes.repository.js';
import { AlertBot } from '../../identity/users/alert-bot.service.js';
import { AlertIncidentsRepository, type IncidentCandidate } from '../alert-incidents.repository.js';
import type { DueReaction, ReactionOutcome, ReactionWork } from '../alert-reactions.repository.js';
import { IssueStates } from '../../workspace/issues/issue-states.service.js';
import { incidentSeverity, incidentText } from '../incidents/incident-attributes.js';
import { IssueTemplates } from '../incidents/issue-templates.service.js';

/** Creates an incident for each alert whose project creates incidents, in bulk. */
@Injectable()
export class IncidentOpenings implements ReactionWork {
  readonly kind = 'open_incident';

  constructor(
    private readonly incidents: AlertIncidentsRepository,
    private readonly templates: IssueTemplates,
    private readonly bot: AlertBot,
    private readonly activity: Activity,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async react(tx: EntityManager, due: DueReaction[], mayWait: boolean): Promise<ReactionOutcome> {
    const authorId = await this.bot.id();
    const alertIds = due.map(({ alertId }) => alertId);
    // Before the rows are locked: git can take its time, and monitoring tools would wait for it.
    const templates = await this.templates.ofAlerts(tx, alertIds);
    const alerts = await this.incidents.lockCandidates(tx, alertIds, mayWait);
    const wanted = alerts.filter(({ isWanted, isPossible }) => isWanted && isPossible);
    const incidents = wanted.map((alert) => ({
      projectId: alert.projectId,
      authorId,
      title: alert.title,
      description: this.text(alert, templates.get(alert.projectId) ?? null),
      severity: incidentSeverity(alert),
      confidential: alert.isConfidential,
    }));
    const opened = await openIncidents(tx, incidents, this.activity);
    await this.link(tx, { alerts: wanted, authorId }, opened);
    const locked = new Set(alerts.map(({ id }) => id));
    const busy = mayWait ? [] : alertIds.filter((id) => !locked.has(id));
    return { busy, summary: summaryOf(alerts) };
  }

  private text(alert: IncidentCandidate, template: string | null): string {
    const page = `${alert.projectPath}/-/alert_management/${alert.iid}/details`;
    return incidentText(alert, { webUrl: `${this.config.baseUrl}/${page}`, template });
  }

  private async link(
    tx: EntityManager,
    { alerts, authorId }: { alerts: readonly IncidentCandidate[]; authorId: number },
    opened: readonly OpenedIncident[],
  ): Promise<void> {
    if (opened.length === 0) return;
    const alertIds = alerts.map(({ id }) => id);
    const issueIds = opened.map(({ id }) => id);
    await this.incidents.link(tx, alertIds, issueIds);
    const notes = opened.flatMap(({ iid }, position) => {
      const alert = alerts[position];
      const body = `created incident #${iid} for this alert`;
      return alert === undefined ? [] : [{ alertId: alert.id, authorId, body }];
    });
    await writeSystemNotes((text, values) => tx.query(text, values), notes);
  }
}

function summaryOf(alerts: readonly IncidentCandidate[]): string | null {
  const wanted = alerts.filter(({ isWanted }) => isWanted);
  if (wanted.length === 0) return null;
  const opened = wanted.filter(({ isPossible }) => isPossible).length;
  const refused = wanted.length - opened;
  const rest =
    refused === 0 ? '' : `, none for ${counted(refused, 'alert')} of projects without issues`;
  return `Opened ${counted(opened, 'incident')}${rest}`;
}

const NOTE = 'automatically closed this incident because the alert resolved';

/** Closes incidents whose alerts have all recovered. */
@Injectable()
export class IncidentClosings implements ReactionWork {
  readonly kind = 'close_incident';

  constructor(
    private readonly incidents: AlertIncidentsRepository,
    private readonly states: IssueStates,
    private readonly bot: AlertBot,
  ) {}

  async react(tx: EntityManager, due: DueReaction[]): Promise<ReactionOutcome> {
    const actorId = await this.bot.id();
    const alertIds = due.map(({ alertId }) => alertId);
    const issueIds = await this.incidents.listIssueIds(tx, alertIds);
    // Incidents first and then their alerts, as when people close them.
    const open = await this.incidents.lockClosable(tx, issueIds);
    const recovered = await this.incidents.listRecovered(tx, open);
    const closed = await this.states.close(tx, recovered, { actorId });
    const notes = closed.map((issueId) => ({ issueId, authorId: actorId, body: NOTE }));
    await writeSystemNotes((text, values) => tx.query(text, values), notes);
    const summary = closed.length === 0 ? null : `Closed ${closed.length} incidents`;
    return { busy: [], summary };
  }
}
