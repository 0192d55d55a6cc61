import { Controller, Post } from '@nestjs/common';
import { ApiError, ForbiddenError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { formErrors, FormInput, given, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import {
  IssuableRef,
  type IssuableReference,
} from '../../../workspace/spam/request-context.decorator.js';
import { AutoMerges } from '../auto-merges.service.js';
import { MergeDto, wantsToWait } from '../merge-request.dto.js';
import { MergeRequestMerging } from '../merge-request-merging.service.js';
import { mayMerge } from '../merge-request-access.js';
import { MergeRequestsRepository } from '../merge-requests.repository.js';
import { changeablePageContext } from './merge-request-page-context.js';
import { MergeRequestPageRenderer } from './merge-request-page-renderer.service.js';

/** Merging from the page of a merge request. */
@Controller(atRoot('*project_path/-/merge_requests/:merge_request_iid/merge'))
export class MergePagesController {
  constructor(
    private readonly shown: MergeRequestPageRenderer,
    private readonly repository: MergeRequestsRepository,
    private readonly merging: MergeRequestMerging,
    private readonly autoMerges: AutoMerges,
  ) {}

  /** Merges what the viewer saw, or shows the page again with what stands against it. */
  @Post()
  @ProjectPage('read_merge_request', 'signed_in')
  async merge(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Record<string, unknown>,
    @IssuableRef('merge_request_iid') change: IssuableReference,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const context = changeablePageContext(project, pageContext);
    const row = await this.repository.findVisible(pageContext.viewer, project.id, change.iid);
    if (!mayMerge(row, project, pageContext.viewer)) throw new ForbiddenError();
    try {
      const dto = await parseInput(MergeDto, form);
      const notice = (await this.mergeOrWait({ project, dto }, change))
        ? 'Auto-merge enabled.'
        : `Merged into ${row.targetBranch}.`;
      return pageContext.redirect(`${context.path}/${change.iid}`, { notice });
    } catch (error) {
      const merge = {
        message: given(form, 'merge_commit_message').replaceAll('\r\n', '\n'),
        removesSource: given(form, 'should_remove_source_branch') === 'true',
        errors: mergeProblems(error, form),
      };
      return this.shown.show(pageContext, project, { iid: change.iid, paging, refused: { merge } });
    }
  }

  /** Cancels auto-merge, or shows the page again when it was not enabled. */
  @Post('cancel')
  @ProjectPage('read_merge_request', 'signed_in')
  async cancel(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IssuableRef('merge_request_iid') change: IssuableReference,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const context = changeablePageContext(project, pageContext);
    try {
      await this.autoMerges.cancel(project, change);
    } catch (error) {
      const refused = { errors: cancelProblems(error) };
      return this.shown.show(pageContext, project, { iid: change.iid, paging, refused });
    }
    const notice = 'Auto-merge was canceled.';
    return pageContext.redirect(`${context.path}/${change.iid}`, { notice });
  }

  /** Returns true if the merge waits for its pipeline, false after a merge. */
  private async mergeOrWait(
    request: { project: ProjectRow; dto: MergeDto },
    change: IssuableReference,
  ): Promise<boolean> {
    if (wantsToWait(request.dto) && (await this.autoMerges.enable(request, change))) return true;
    await this.merging.merge(request, change);
    return false;
  }
}

/** It has been merged, closed or taken back since the viewer looked at it. */
function cancelProblems(error: unknown): FormProblems {
  const isLate = error instanceof ApiError && (error.status === 405 || error.status === 406);
  if (!isLate) throw error;
  return { fields: {}, general: ['Auto-merge is already off.'] };
}

const CANNOT_WAIT =
  'Auto-merge is unavailable for drafts, closed merge requests and failed pipelines.';

const NOT_NOW: Partial<Record<number, string>> = {
  405: 'Drafts and closed merge requests cannot be merged.',
  503: 'The server is busy. Try again in a few seconds.',
};

/** Statuses of the API that a form has no words for yet, and those of formErrors. */
function mergeProblems(error: unknown, form: Record<string, unknown>): FormProblems {
  if (!(error instanceof ApiError)) throw error;
  const cannotWait = error.status === 405 && given(form, 'auto_merge') === 'true';
  const text = cannotWait ? CANNOT_WAIT : (NOT_NOW[error.status] ?? newCommits(error));
  return text === undefined ? formErrors(error) : { fields: {}, general: [text] };
}

function newCommits({ status, body }: ApiError): string | undefined {
  const isAboutTip = status === 409 && String(body['message']).startsWith('SHA does not match');
  if (!isAboutTip) return undefined;
  return 'The source branch has new commits. Review them, then merge.';
}
