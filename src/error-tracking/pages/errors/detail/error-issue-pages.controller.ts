import { Controller, Post } from '@nestjs/common';
import { CurrentUser } from '../../../../core/access/viewer.decorator.js';
import type { Viewer } from '../../../../core/access/viewer.js';
import { ForbiddenError, NotFoundError } from '../../../../core/errors.js';
import type { Answer } from '../../../../core/http/answer.js';
import { atRoot } from '../../../../core/http/root-path.js';
import { IntegerId } from '../../../../core/params/ids.js';
import { RateLimit } from '../../../../core/rate-limits/rate-limit.decorator.js';
import { FormInput, given } from '../../../../core/ui/form-input.decorator.js';
import type { FormProblems } from '../../../../core/ui/form-errors.js';
import { refusalText } from '../../../../core/ui/refusal-text.js';
import { Shell } from '../../../../core/ui/shell.decorator.js';
import type { PageShell } from '../../../../core/ui/shell.js';
import { canInProject } from '../../../../members/abilities.js';
import { ProjectPage } from '../../../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../../projects/project-access.guard.js';
import type { ProjectRow } from '../../../../projects/projects.repository.js';
import { ErrorIssues } from '../../../errors/error-issues.service.js';
import { ErrorsRepository } from '../../../errors/errors.repository.js';
import { errorPath } from '../../../error-paths.js';
import { errorInfo, ErrorViews } from './error-views.service.js';
import { ErrorPage } from './error.page.js';
import { type ActorContext, RequestContext } from '../../../../spam/request-context.decorator.js';

/** The number of an issue as people write it: `7` or `#7`. */
const ISSUE_NUMBER = /^#?(\d{1,9})$/;

/** The issue of an error; for the project's developers. */
@Controller(atRoot('*project_path/-/error_tracking/:error_id/issue'))
export class ErrorIssuePagesController {
  constructor(
    private readonly errors: ErrorsRepository,
    private readonly issues: ErrorIssues,
    private readonly views: ErrorViews,
  ) {}

  /** Opens an issue for the error. */
  @Post()
  @RateLimit('create')
  @ProjectPage('admin_error', 'signed_in')
  async create(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @RequestContext() change: ActorContext,
  ): Promise<Answer> {
    const error = await this.errors.get(project.id, id);
    const path = errorPath(project, id);
    try {
      const mayCreate = canInProject('create_issue', { ...project, viewer: shell.viewer });
      if (!mayCreate || project.archived) throw new ForbiddenError();
      const wish = { baseUrl: shell.baseUrl };
      const iid = await this.issues.create({ project, error }, wish, change);
      return shell.redirect(path, { notice: `Issue #${iid} created.` });
    } catch (refusal) {
      return shell.redirect(path, { alert: refusalText(refusal) });
    }
  }

  /** Links an issue of the project that the viewer sees. */
  @Post('link')
  @ProjectPage('admin_error', 'signed_in')
  async link(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Record<string, unknown>,
  ): Promise<Answer> {
    const error = await this.errors.get(project.id, id);
    const issueIid = given(form, 'issue_iid');
    try {
      const number = ISSUE_NUMBER.exec(issueIid.trim())?.[1];
      if (number === undefined) throw new NotFoundError();
      await this.issues.link({ project, error }, Number(number), viewer);
    } catch (refusal) {
      const view = await this.views.read(shell, { project, id }, 'day');
      const page = ErrorPage({ ...view, refused: { errors: linkRefusal(refusal), issueIid } });
      return shell.page(page, errorInfo(project, error), 422);
    }
    return shell.redirect(errorPath(project, id), { notice: 'Issue linked.' });
  }

  /** Parts the error from its issue. */
  @Post('unlink')
  @ProjectPage('admin_error', 'signed_in')
  async unlink(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
  ): Promise<Answer> {
    const error = await this.errors.get(project.id, id);
    const path = errorPath(project, id);
    try {
      await this.issues.unlink({ project, error });
    } catch (refusal) {
      const isGone = refusal instanceof NotFoundError;
      return shell.redirect(path, {
        alert: isGone ? 'The error has no issue.' : refusalText(refusal),
      });
    }
    return shell.redirect(path, { notice: 'Issue unlinked.' });
  }
}

function linkRefusal(refusal: unknown): FormProblems {
  const text =
    refusal instanceof NotFoundError
      ? 'The project has no issue with this number.'
      : refusalText(refusal);
  return { fields: { issue_iid: [text] }, general: [] };
}
