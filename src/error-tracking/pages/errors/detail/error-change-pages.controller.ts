import { Controller, Post } from '@nestjs/common';
import { CurrentUser } from '../../../../core/access/viewer.decorator.js';
import type { Viewer } from '../../../../core/access/viewer.js';
import type { HttpResponse } from '../../../../core/http/http-response.js';
import { atRoot } from '../../../../core/http/root-path.js';
import { IntegerId } from '../../../../core/params/ids.js';
import { parseInput } from '../../../../core/params/input.decorator.js';
import { ListParam, TextParam } from '../../../../core/params/params.decorator.js';
import { counted } from '../../../../core/ui/amounts.js';
import { FormInput, given, givenList } from '../../../../core/ui/form-input.decorator.js';
import { refusalText } from '../../../../core/ui/refusal-text.js';
import { Context } from '../../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../../core/ui/page-context.js';
import { ProjectPage } from '../../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { ERROR_STATUSES, type ErrorStatus } from '../../../error-values.js';
import { ErrorChanges, type StatusChange } from '../../../errors/error-changes.service.js';
import { ErrorsRepository } from '../../../errors/errors.repository.js';
import { statusLabel } from '../../error-badges.js';
import { errorPath } from '../../../error-paths.js';
import { listAddressOf } from '../list/error-listings.service.js';

type Form = Record<string, unknown>;

/** Fields of the action forms. */
class ChangeErrorsDto {
  @TextParam({ required: true, values: ERROR_STATUSES })
  status: ErrorStatus;

  @ListParam({ of: 'integer' })
  ids?: number[] | null;
}

/** Changes the state of errors; for the project's developers. */
@Controller(atRoot('*project_path/-/error_tracking'))
export class ErrorChangePagesController {
  constructor(
    private readonly errors: ErrorsRepository,
    private readonly changes: ErrorChanges,
  ) {}

  /** Changes those that were ticked in the list, or all that it showed. */
  @Post('status')
  @ProjectPage('admin_error', 'signed_in')
  async setMany(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    const target = await listAddressOf(project, given(form, 'back'));
    try {
      const input = { status: given(form, 'status'), ids: idsOf(form) };
      const { status, ids } = await parseInput(ChangeErrorsDto, input);
      if (!ids?.length)
        return pageContext.redirect(target, { alert: 'Tick the errors to change first.' });
      const change = await this.changes.setStatus(project, ids, { status, viewer });
      const notice = `${counted(change.ids.length, 'error')} ${doneText(status, change)}`;
      return pageContext.redirect(target, { notice });
    } catch (error) {
      return pageContext.redirect(target, { alert: refusalText(error) });
    }
  }

  /** Changes one, and leads back to its page. */
  @Post(':error_id/status')
  @ProjectPage('admin_error', 'signed_in')
  async setOne(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    const error = await this.errors.get(project.id, id);
    const target = errorPath(project, id);
    try {
      const { status } = await parseInput(ChangeErrorsDto, { status: given(form, 'status') });
      const change = await this.changes.setStatus(project, [error.id], { status, viewer });
      return pageContext.redirect(target, { notice: `The error is ${doneText(status, change)}` });
    } catch (refusal) {
      return pageContext.redirect(target, { alert: refusalText(refusal) });
    }
  }
}

function idsOf(form: Form): string[] {
  if (given(form, 'all') !== 'true') return givenList(form, 'error_ids');
  return given(form, 'shown')
    .split(',')
    .filter((id) => id !== '');
}

/** `resolved now. Closed issues: #3, #4.` */
function doneText(status: ErrorStatus, { closedIssueIids }: StatusChange): string {
  const done = `${statusLabel(status).toLowerCase()} now.`;
  if (closedIssueIids.length === 0) return done;
  const issues = closedIssueIids.map((iid) => `#${iid}`).join(', ');
  return `${done} ${closedIssueIids.length === 1 ? 'Closed issue' : 'Closed issues'}: ${issues}.`;
}
