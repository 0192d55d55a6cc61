import { Controller, Delete, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors, ApiResponses } from '../../core/openapi/api.decorators.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { presentIssue } from '../../workspace/issues/issue.presenter.js';
import { IssuesRepository } from '../../workspace/issues/issues.repository.js';
import type { IssueResponse } from '../../workspace/issues/issue.response.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { AlertRef, type AlertReference } from './alert-ref.decorator.js';
import { AlertIncidents } from './alert-incidents.service.js';
import type { PlacedAlert } from './alert-changes.service.js';
import { AlertsRepository } from '../alerts.repository.js';
import { OpenIncidentDto } from './alert.dto.js';

/** The incident, or other issue, that people work on because of an alert. */
@Controller('projects/:id/alert_management_alerts/:alert_iid/issue')
@Scopes()
@ProjectAbility('admin_alert')
export class AlertIncidentController {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly incidents: AlertIncidents,
    private readonly issues: IssuesRepository,
  ) {}

  /** Creates an incident for an alert; with `issue_iid` links an issue instead, returning 200. */
  @Post()
  @ApiResponses(200, 201)
  @ApiErrors(409)
  @RateLimit('create')
  async create(
    @CurrentProject() project: ProjectRow,
    @Input() { issue_iid: wanted }: OpenIncidentDto,
    @AlertRef() { iid, viewer }: AlertReference,
    @ResponseContext() presentation: ResponseContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IssueResponse> {
    const placed = await this.place(project, iid);
    if (typeof wanted === 'number') {
      await this.incidents.link(placed, wanted, viewer);
      response.status(200);
    }
    const issueIid = wanted ?? (await this.incidents.open(placed, viewer, presentation.baseUrl));
    const issue = await this.issues.findVisible(viewer, project.id, issueIid);
    return presentIssue(issue, presentation);
  }

  /** Unlinks an alert from its issue; both are kept. */
  @Delete()
  @HttpCode(204)
  async delete(
    @CurrentProject() project: ProjectRow,
    @AlertRef() { iid, viewer }: AlertReference,
  ): Promise<void> {
    await this.incidents.unlink(await this.place(project, iid), viewer);
  }

  private async place(project: ProjectRow, iid: number): Promise<PlacedAlert> {
    return { project, alert: await this.alerts.findByIid(project.id, iid) };
  }
}
