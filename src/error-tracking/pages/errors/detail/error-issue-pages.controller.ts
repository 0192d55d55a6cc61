import { Controller, Post } from '@nestjs/common';
import { CurrentUser } from '../../../../core/access/viewer.decorator.js';
import type { Viewer } from '../../../../core/access/viewer.js';
import { ForbiddenError, NotFoundError } from '../../../../core/errors.js';
import type { HttpResponse } from '../../../../core/http/http-response.js';
import { atRoot } from '../../../../core/http/root-path.js';
import { IntegerId } from '../../../../core/params/ids.js';
import { RateLimit } from '../../../../core/rate-limits/rate-limit.decorator.js';
import { FormInput, given } from '../../../../core/ui/form-input.decorator.js';
import type { FormProblems } from '../../../../core/ui/form-errors.js';
import { refusalText } from '../../../../core/ui/refusal-text.js';
import { Context } from '../../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../../core/ui/page-context.js';
import { canInProject } from '../../../../identity/members/abilities.js';
import { ProjectPage } from '../../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { ErrorIssues } from '../../../errors/error-issues.service.js';
import { ErrorsRepository } from '../../../errors/errors.repository.js';
import { errorPath } from '../../../error-paths.js';
import { errorInfo, ErrorPageRenderer } from './error-page-renderer.service.js';
import { ErrorPage } from './error.page.js';
import {
  type ActorContext,
  RequestContext,
} from '../../../../workspace/spam/request-context.decorator.js';

/** The number of an issue as people write it: `7` or `#7`. */
const ISSUE_NUMBER = /^#?(\d{1,9})$/;

/** The issue of an error; for the project's developers. */
@Controller(atRoot('*project_path/-/error_tracking/:error_id/issue'))
export class ErrorIssuePagesController {
  constructor(
    private readonly errors: ErrorsRepository,
    private readonly issues: ErrorIssues,
    private readonly views: ErrorPageRenderer,
  ) {}

  /** Opens an issue for the error. */
  @Post()
  @RateLimit('create')
  @ProjectPage('admin_error', 'signed_in')
  async create(
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
      const wish = { baseUrl: pageContext.baseUrl };
      const iid = await this.issues.create({ project, error }, wish, change);
      return pageContext.redirect(path, { notice: `Issue #${iid} created.` });
    } catch (refusal) {
      return pageContext.redirect(path, { alert: refusalText(refusal) });
    }
  }

  /** Links an issue of the project that the viewer sees. */
  @Post('link')
  @ProjectPage('admin_error', 'signed_in')
  async link(
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
    return pageContext.redirect(errorPath(project, id), { notice: 'Issue linked.' });
  }

  /** Parts the error from its issue. */
  @Post('unlink')
  @ProjectPage('admin_error', 'signed_in')
  async unlink(
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
        alert: isGone ? 'The error has no issue.' : refusalText(refusal),
      });
    }
    return pageContext.redirect(path, { notice: 'Issue unlinked.' });
  }
}

function linkRefusal(refusal: unknown): FormProblems {
  const text =
    refusal instanceof NotFoundError
      ? 'The project has no issue with this number.'
      : refusalText(refusal);
  return { fields: { issue_iid: [text] }, general: [] };
}
