import { Controller, Get, Headers, Post } from '@nestjs/common';
import { CurrentUser, type Viewer } from '../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { FormInput, given, refusalText, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { alertInfo, AlertPageRenderer } from './alert-page-renderer.service.js';
import { AlertPage } from './alert.page.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { CreateNoteDto } from '../../../workspace/notes/note.dto.js';
import { statusOf } from '../../alert-values.js';
import { AlertsService, type ProjectAlert } from '../../alerts.service.js';
import { AlertNotes } from '../../alert-notes.service.js';
import { AlertsRepository } from '../../alerts.repository.js';
import { UpdateAlertDto, OpenIncidentDto } from '../../alert.dto.js';
import { statusLabel } from '../alert-status.js';
import { alertPath } from '../alert-paths.js';
import { NotFoundError } from '../../../core/errors.js';
import type { Message } from '../../../core/ui/components/live-region.js';
import { AlertIncidents } from '../../alert-incidents.service.js';

type Form = Record<string, unknown>;

/** The page of an alert with its live part and forms; for the project's developers. */
@Controller(atRoot('*project_path/-/alert_management/:iid'))
export class AlertPagesController {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly service: AlertsService,
    private readonly notes: AlertNotes,
    private readonly incidents: AlertIncidents,
    private readonly views: AlertPageRenderer,
  ) {}

  /** Shows an alert with what was done about it. */
  @Get('details')
  @ProjectPage('read_alert', 'signed_in')
  async show(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('iid') iid: number,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const view = await this.views.read(pageContext, { project, iid }, paging);
    return pageContext.render(AlertPage(view), alertInfo(project, view.alert));
  }

  /** Shows the live part of that page. */
  @Get('details/live')
  @ProjectPage('read_alert', 'signed_in')
  async live(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('iid') iid: number,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return pageContext.fragment(
      AlertPage(await this.views.read(pageContext, { project, iid }, paging)),
    );
  }

  /** Changes the status of the alert. */
  @Post('status')
  @ProjectPage('admin_alert', 'signed_in')
  async setStatus(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('iid') iid: number,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Form,
    @Pages() paging: Paging,
    @Headers('hx-request') isLive: string | undefined,
  ): Promise<HttpResponse> {
    const alert = await this.alerts.findByIid(project.id, iid);
    const message = await this.statusMessage({ project, alert }, given(form, 'status'), viewer);
    if (isLive !== undefined) {
      const view = await this.views.read(pageContext, { project, iid }, paging);
      return pageContext.fragment(AlertPage({ ...view, message }));
    }
    const tone = message.isRefusal === true ? 'alert' : 'notice';
    return pageContext.redirect(alertPath(project, iid), { [tone]: message.text });
  }

  /** Assigns the alert, or clears its assignee. */
  @Post('assignee')
  @ProjectPage('admin_alert', 'signed_in')
  async assign(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('iid') iid: number,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Form,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const alert = await this.alerts.findByIid(project.id, iid);
    const username = given(form, 'assignee');
    try {
      const assignee_usernames = username === '' ? [] : [username];
      const dto = await parseInput(UpdateAlertDto, { assignee_usernames });
      await this.service.update({ project, alert }, dto, viewer);
    } catch (error) {
      const refused = { errors: fieldRefusal('assignee', error) };
      return this.views.refuse(pageContext, { project, iid }, { refused, paging });
    }
    return pageContext.redirect(alertPath(project, iid), { notice: 'Assignee updated' });
  }

  /** Adds a comment. */
  @Post('comments')
  @RateLimit('create')
  @ProjectPage('admin_alert', 'signed_in')
  async comment(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('iid') iid: number,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Form,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const alert = await this.alerts.findByIid(project.id, iid);
    try {
      const dto = await parseInput(CreateNoteDto, { body: given(form, 'body') });
      await this.notes.create({ project, alert }, dto, viewer);
    } catch (error) {
      const refused = { errors: fieldRefusal('body', error), comment: given(form, 'body') };
      return this.views.refuse(pageContext, { project, iid }, { refused, paging });
    }
    return pageContext.redirect(alertPath(project, iid), { notice: 'Comment added' });
  }

  /** Opens an incident for the alert. */
  @Post('incident')
  @RateLimit('create')
  @ProjectPage('admin_alert', 'signed_in')
  async openIncident(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('iid') iid: number,
    @CurrentUser() viewer: Viewer,
  ): Promise<HttpResponse> {
    const alert = await this.alerts.findByIid(project.id, iid);
    const path = alertPath(project, iid);
    try {
      const opened = await this.incidents.open({ project, alert }, viewer, pageContext.baseUrl);
      return pageContext.redirect(path, { notice: `Incident #${opened} created` });
    } catch (error) {
      return pageContext.redirect(path, { alert: refusalText(error) });
    }
  }

  /** Links an issue or incident of the project that the viewer sees. */
  @Post('incident/link')
  @ProjectPage('admin_alert', 'signed_in')
  async linkIncident(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('iid') iid: number,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Form,
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
    return pageContext.redirect(alertPath(project, iid), { notice: 'Incident linked' });
  }

  /** Unlinks the alert from its incident. */
  @Post('incident/unlink')
  @ProjectPage('admin_alert', 'signed_in')
  async unlinkIncident(
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
    return pageContext.redirect(alertPath(project, iid), { notice: 'Incident unlinked' });
  }

  private async statusMessage(
    target: ProjectAlert,
    wanted: string,
    viewer: Viewer,
  ): Promise<Message> {
    try {
      const dto = await parseInput(UpdateAlertDto, { status: wanted });
      const { iid, status } = await this.service.update(target, dto, viewer);
      return { text: `Alert #${iid} ${statusLabel(statusOf(status)).toLowerCase()}` };
    } catch (error) {
      return { text: refusalText(error), isRefusal: true };
    }
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

/** The API's words for a note are not for people. */
const NOTE_REFUSAL = /^Note \{:note=>\["([^"]*)"\]\}\.$/;

/** Returns the error of a form's only field. */
function fieldRefusal(name: string, error: unknown): FormProblems {
  const text = refusalText(error).replace(NOTE_REFUSAL, 'The comment $1.');
  return { fields: { [name]: [text] }, general: [] };
}
