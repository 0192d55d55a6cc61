import { Controller, Get, Post } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { ProjectPage } from '../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { alertInfo, AlertPageRenderer } from './alert-page-renderer.service.js';
import { AlertPage } from './alert.page.js';
import type { Viewer } from '../../../core/access/viewer.js';
import { CurrentUser } from '../../../core/access/viewer.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { RateLimit } from '../../../core/rate-limits/rate-limit.decorator.js';
import { FormInput, given, filledIn } from '../../../core/ui/form-input.decorator.js';
import { refusalText } from '../../../core/ui/refusal-text.js';
import { CreateNoteDto } from '../../../workspace/notes/note.dto.js';
import { statusOf } from '../../alert-values.js';
import { AlertsService } from '../../alerts.service.js';
import { AlertNotes } from '../../alert-notes.service.js';
import { AlertsRepository } from '../../alerts.repository.js';
import { UpdateAlertDto, OpenIncidentDto } from '../../alert.dto.js';
import { statusLabel } from '../alert-status.js';
import { alertPath, alertsPath } from '../alert-paths.js';
import { ApiError, NotFoundError } from '../../../core/errors.js';
import { filledAddress } from '../../../core/ui/filled-address.js';
import { AlertsPageDto, alertsQuery } from '../list/alerts-query.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
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

  /** Gives the alert another status, and leads back to where the button was. */
  @Post('status')
  @ProjectPage('admin_alert', 'signed_in')
  async setStatus(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('iid') iid: number,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    const alert = await this.alerts.findByIid(project.id, iid);
    const target = (await listAddressOf(project, given(form, 'back'))) ?? alertPath(project, iid);
    try {
      const dto = await parseInput(UpdateAlertDto, { status: given(form, 'status') });
      const { status } = await this.service.update({ project, alert }, dto, viewer);
      const word = statusLabel(statusOf(status)).toLowerCase();
      return pageContext.redirect(target, { notice: `Alert #${iid} is ${word} now.` });
    } catch (error) {
      return pageContext.redirect(target, { alert: refusalText(error) });
    }
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
    return pageContext.redirect(alertPath(project, iid), { notice: 'Assignee changed.' });
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
    return pageContext.redirect(alertPath(project, iid), { notice: 'Comment added.' });
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
      return pageContext.redirect(path, { notice: `Incident #${opened} created.` });
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
    return pageContext.redirect(alertPath(project, iid), { notice: 'Incident linked.' });
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
    return pageContext.redirect(alertPath(project, iid), { notice: 'Incident unlinked.' });
  }
}

/**
 * Returns the list's path with the query that a form carried along, rebuilt from its valid parts;
 * null when the form did not come from the list.
 */
async function listAddressOf(project: ProjectRow, back: string): Promise<string | null> {
  if (back === '') return null;
  const raw = filledIn(Object.fromEntries(new URLSearchParams(back)));
  try {
    const query = alertsQuery(await parseInput(AlertsPageDto, raw));
    return filledAddress(alertsPath(project), { ...query });
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
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
