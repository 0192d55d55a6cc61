import { Controller, Post } from '@nestjs/common';
import type { Viewer } from '../../../core/access/viewer.js';
import { CurrentUser } from '../../../core/access/viewer.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { RateLimit } from '../../../core/rate-limits/rate-limit.decorator.js';
import { FormInput, given, filledIn } from '../../../core/ui/form-input.decorator.js';
import { refusalText } from '../../../core/ui/refusal-text.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { CreateNoteDto } from '../../../workspace/notes/note.dto.js';
import { ProjectPage } from '../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { statusOf } from '../../alert-values.js';
import { AlertChanges } from '../../management/alert-changes.service.js';
import { AlertNotes } from '../../management/alert-notes.service.js';
import { AlertsRepository } from '../../alerts.repository.js';
import { UpdateAlertDto } from '../../management/alert.dto.js';
import { statusLabel } from '../alert-badges.js';
import { alertPath, alertsPath } from '../alert-paths.js';
import { AlertPageRenderer } from './alert-page-renderer.service.js';
import { fieldRefusal } from './field-refusal.js';
import { ApiError } from '../../../core/errors.js';
import { filledAddress } from '../../../core/ui/filled-address.js';
import { AlertsPageDto, alertsQuery } from '../list/alerts-query.js';

type Form = Record<string, unknown>;

/** Updates of an alert; for the project's developers. */
@Controller(atRoot('*project_path/-/alert_management/:iid'))
export class AlertChangePagesController {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly changes: AlertChanges,
    private readonly notes: AlertNotes,
    private readonly views: AlertPageRenderer,
  ) {}

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
      const { status } = await this.changes.update({ project, alert }, dto, viewer);
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
      await this.changes.update({ project, alert }, dto, viewer);
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
