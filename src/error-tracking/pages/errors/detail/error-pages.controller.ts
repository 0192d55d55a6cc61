import { Controller, Post, Get, Query } from '@nestjs/common';
import { CurrentUser, type Viewer } from '../../../../core/access/auth-context.js';
import { Clock } from '../../../../core/clock.js';
import type { HttpResponse } from '../../../../core/http/http-response.js';
import { atRoot } from '../../../../core/http/paths.js';
import { IntegerId } from '../../../../core/params/ids.js';
import { parseInput } from '../../../../core/params/input.decorator.js';
import { TextParam } from '../../../../core/params/params.decorator.js';
import { RateLimit } from '../../../../core/rate-limits/named-limits.js';
import {
  filledIn,
  FormInput,
  given,
  refusalText,
  type FormProblems,
} from '../../../../core/ui/forms.js';
import { Context } from '../../../../core/ui/page-contexts.service.js';
import type { PageContext } from '../../../../core/ui/page-context.js';
import {
  CurrentProject,
  ProjectPage,
} from '../../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import {
  type ActorContext,
  RequestContext,
} from '../../../../workspace/spam/request-context.decorator.js';
import { ERROR_STATUSES, type ErrorStatus } from '../../../error-values.js';
import { conditionOf } from '../../../errors/status-condition.dto.js';
import { ErrorStatusService } from '../../../errors/error-status.service.js';
import { ErrorGroupsRepository } from '../../../errors/error-groups.repository.js';
import { errorPath } from '../../../error-paths.js';
import { errorInfo, ErrorPageRenderer } from './error-page-renderer.service.js';
import { ErrorPage } from './error.page.js';
import { doneText, STATUS_ENDS, untilInput } from './status-menu.js';
import { TREND_SPANS, type TrendSpan } from './trend-chart.js';
import { ForbiddenError, NotFoundError } from '../../../../core/errors.js';
import { canInProject } from '../../../../identity/members/abilities.js';
import { ErrorIssues } from '../../../errors/error-issues.service.js';

/** Query parameters of an error page. */
class ErrorPageDto {
  /** Time span of the chart. */
  @TextParam({ values: TREND_SPANS })
  span?: TrendSpan | null;
}

/** Fields of the status forms. */
class ChangeErrorDto {
  @TextParam({ required: true, values: ERROR_STATUSES })
  status: ErrorStatus;

  /** Condition that ends the status. */
  @TextParam({ values: Object.keys(STATUS_ENDS) })
  until?: keyof typeof STATUS_ENDS | null;
}

type Form = Record<string, unknown>;

/** Issue number: `7` or `#7`. */
const ISSUE_NUMBER = /^#?(\d{1,9})$/;

/** The page of an error for the project's reporters, and changes of errors by its developers. */
@Controller(atRoot('*project_path/-/error_tracking'))
export class ErrorPagesController {
  constructor(
    private readonly views: ErrorPageRenderer,
    private readonly errors: ErrorGroupsRepository,
    private readonly changes: ErrorStatusService,
    private readonly issues: ErrorIssues,
    private readonly clock: Clock,
  ) {}

  /** Shows an error with its newest event. */
  @Get(':error_id/details')
  @ProjectPage('read_error', 'signed_in')
  async show(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Query() query: Record<string, unknown>,
  ): Promise<HttpResponse> {
    const { span } = await parseInput(ErrorPageDto, filledIn(query));
    const view = await this.views.read(pageContext, { project, id }, span ?? 'day');
    if (view.error.id !== id) return pageContext.redirect(errorPath(project, view.error.id));
    return pageContext.render(ErrorPage(view), errorInfo(project, view.error));
  }

  /** Changes one error and redirects to its page. */
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
      const input = { status: given(form, 'status'), until: given(form, 'until') || null };
      const { status, until } = await parseInput(ChangeErrorDto, input);
      const condition = conditionOf(status, untilInput(until, this.clock.now()), this.clock.now());
      const change = await this.changes.setStatus(project, [error.id], {
        status,
        viewer,
        ...condition,
      });
      return pageContext.redirect(target, { notice: `Error ${doneText(status, change)}` });
    } catch (refusal) {
      return pageContext.redirect(target, { alert: refusalText(refusal) });
    }
  }

  /** Assigns the error to a user, or to no one. */
  @Post(':error_id/assignee')
  @ProjectPage('admin_error', 'signed_in')
  async assign(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    const error = await this.errors.get(project.id, id);
    const target = errorPath(project, id);
    const username = given(form, 'assignee').trim();
    const assignee = username === '' ? null : { id: null, username };
    try {
      await this.changes.assign(project, error.id, { assignee, viewer });
      return pageContext.redirect(target, { notice: 'Assignee updated' });
    } catch (refusal) {
      return pageContext.redirect(target, { alert: refusalText(refusal) });
    }
  }

  /** Opens an issue for the error. */
  @Post(':error_id/issue')
  @RateLimit('create')
  @ProjectPage('admin_error', 'signed_in')
  async createIssue(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @RequestContext() change: ActorContext,
  ): Promise<HttpResponse> {
    const error = await this.errors.get(project.id, id);
    const path = errorPath(project, id);
    try {
      const mayCreate = canInProject('create_issue', { ...project, viewer: pageContext.viewer });
      if (!mayCreate || project.archived) throw new ForbiddenError();
      const attributes = { baseUrl: pageContext.baseUrl };
      const iid = await this.issues.create({ project, error }, attributes, change);
      return pageContext.redirect(path, { notice: `Issue #${iid} created` });
    } catch (refusal) {
      return pageContext.redirect(path, { alert: refusalText(refusal) });
    }
  }

  /** Links an issue of the project that the viewer sees. */
  @Post(':error_id/issue/link')
  @ProjectPage('admin_error', 'signed_in')
  async linkIssue(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    const error = await this.errors.get(project.id, id);
    const issueIid = given(form, 'issue_iid');
    try {
      const number = ISSUE_NUMBER.exec(issueIid.trim())?.[1];
      if (number === undefined) throw new NotFoundError();
      await this.issues.link({ project, error }, Number(number), viewer);
    } catch (refusal) {
      const view = await this.views.read(pageContext, { project, id }, 'day');
      const page = ErrorPage({ ...view, refused: { errors: linkRefusal(refusal), issueIid } });
      return pageContext.render(page, errorInfo(project, error), 422);
    }
    return pageContext.redirect(errorPath(project, id), { notice: 'Issue linked' });
  }

  /** Unlinks the error from its issue. */
  @Post(':error_id/issue/unlink')
  @ProjectPage('admin_error', 'signed_in')
  async unlinkIssue(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
  ): Promise<HttpResponse> {
    const error = await this.errors.get(project.id, id);
    const path = errorPath(project, id);
    try {
      await this.issues.unlink({ project, error });
    } catch (refusal) {
      const isGone = refusal instanceof NotFoundError;
      return pageContext.redirect(path, {
        alert: isGone ? 'The error has no linked issue.' : refusalText(refusal),
      });
    }
    return pageContext.redirect(path, { notice: 'Issue unlinked' });
  }
}

function linkRefusal(refusal: unknown): FormProblems {
  const text =
    refusal instanceof NotFoundError
      ? 'The project has no issue with this number.'
      : refusalText(refusal);
  return { fields: { issue_iid: [text] }, general: [] };
}
