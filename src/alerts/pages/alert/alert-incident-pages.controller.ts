import { Controller, Post } from '@nestjs/common';
import { CurrentUser } from '../../../core/access/viewer.decorator.js';
import type { Viewer } from '../../../core/access/viewer.js';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { RateLimit } from '../../../core/rate-limits/rate-limit.decorator.js';
import { FormInput, given } from '../../../core/ui/form-input.decorator.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import { refusalText } from '../../../core/ui/refusal-text.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { ProjectPage } from '../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { AlertIncidents } from '../../management/alert-incidents.service.js';
import { AlertsRepository } from '../../alerts.repository.js';
import { OpenIncidentDto } from '../../management/alert.dto.js';
import { alertPath } from '../alert-paths.js';
import { AlertPageRenderer } from './alert-page-renderer.service.js';
import { fieldRefusal } from './field-refusal.js';

/** The incident of an alert; for the project's developers. */
@Controller(atRoot('*project_path/-/alert_management/:iid/incident'))
export class AlertIncidentPagesController {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly incidents: AlertIncidents,
    private readonly views: AlertPageRenderer,
  ) {}

  /** Opens an incident for the alert. */
  @Post()
  @RateLimit('create')
  @ProjectPage('admin_alert', 'signed_in')
  async open(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('iid') iid: number,
    @CurrentUser() viewer: Viewer,
  ): Promise<HttpResponse> {
    const alert = await this.alerts.findByIid(project.id, iid);
    const path = alertPath(project, iid);
    try {
      const opened = await this.incidents.open({ project, alert }, viewer, pageContext.baseUrl);
      return pageContext.redirect(path, { notice: `Incident #${opened} created.` });
    } catch (error) {
      return pageContext.redirect(path, { alert: refusalText(error) });
    }
  }

  /** Links an issue or incident of the project that the viewer sees. */
  @Post('link')
  @ProjectPage('admin_alert', 'signed_in')
  async link(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('iid') iid: number,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const alert = await this.alerts.findByIid(project.id, iid);
    const issueIid = given(form, 'issue_iid');
    try {
      const wanted = await wantedIssue(issueIid);
      await this.incidents.link({ project, alert }, wanted, viewer);
    } catch (error) {
      const refused = { errors: linkRefusal(error), issueIid };
      return this.views.refuse(pageContext, { project, iid }, { refused, paging });
    }
    return pageContext.redirect(alertPath(project, iid), { notice: 'Incident linked.' });
  }

  /** Parts the alert from its incident. */
  @Post('unlink')
  @ProjectPage('admin_alert', 'signed_in')
  async unlink(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('iid') iid: number,
    @CurrentUser() viewer: Viewer,
  ): Promise<HttpResponse> {
    const alert = await this.alerts.findByIid(project.id, iid);
    try {
      await this.incidents.unlink({ project, alert }, viewer);
    } catch (error) {
      return pageContext.redirect(alertPath(project, iid), { alert: unlinkRefusal(error) });
    }
    return pageContext.redirect(alertPath(project, iid), { notice: 'Incident unlinked.' });
  }
}

/** `7` or `#7`; throws 400 for what is no number, 404 for none. */
async function wantedIssue(text: string): Promise<number> {
  const dto = await parseInput(OpenIncidentDto, { issue_iid: text.trim().replace(/^#/, '') });
  if (dto.issue_iid == null) throw new NotFoundError();
  return dto.issue_iid;
}

function linkRefusal(error: unknown): FormProblems {
  if (!(error instanceof NotFoundError)) return fieldRefusal('issue_iid', error);
  return { fields: { issue_iid: ['The project has no issue with this number.'] }, general: [] };
}

function unlinkRefusal(error: unknown): string {
  return error instanceof NotFoundError ? 'The alert has no incident.' : refusalText(error);
}
