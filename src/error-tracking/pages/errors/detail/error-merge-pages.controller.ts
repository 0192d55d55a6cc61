import { Controller, Post } from '@nestjs/common';
import { CurrentUser, type Viewer } from '../../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../../core/http/http-response.js';
import { atRoot } from '../../../../core/http/paths.js';
import { IntegerId } from '../../../../core/params/ids.js';
import { parseInput } from '../../../../core/params/input.decorator.js';
import { counted } from '../../../../core/ui/amounts.js';
import { FormInput, given, givenList, refusalText } from '../../../../core/ui/forms.js';
import type { PageContext } from '../../../../core/ui/page-context.js';
import { Context } from '../../../../core/ui/page-contexts.service.js';
import {
  CurrentProject,
  ProjectPage,
} from '../../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { errorPath } from '../../../error-paths.js';
import { MergeErrorsDto } from '../../../merges/error-merges.controller.js';
import { ErrorMerges } from '../../../merges/error-merges.service.js';
import { listAddressOf } from '../list/error-listings.service.js';

/** Merging the selected errors of the list, and unmerging on the page of an error. */
@Controller(atRoot('*project_path/-/error_tracking'))
export class ErrorMergePagesController {
  constructor(private readonly merges: ErrorMerges) {}

  /** Merges the selected errors into the one that was selected first, the oldest by ID. */
  @Post('merge')
  @ProjectPage('admin_error', 'signed_in')
  async merge(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    try {
      const input = { error_ids: givenList(form, 'error_ids') };
      const { error_ids: ids } = await parseInput(MergeErrorsDto, input);
      const [targetId = 0, ...others] = ids.toSorted((one, other) => one - other);
      await this.merges.merge({ project, targetId, viewer }, others);
      const notice = `${counted(others.length, 'error')} merged into this one`;
      return pageContext.redirect(errorPath(project, targetId), { notice });
    } catch (refusal) {
      const target = await listAddressOf(project, given(form, 'back'));
      return pageContext.redirect(target, { alert: refusalText(refusal) });
    }
  }

  /** Gives a merged error its events back and shows it. */
  @Post(':error_id/merged/:merged_error_id/unmerge')
  @ProjectPage('admin_error', 'signed_in')
  async unmerge(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') targetId: number,
    @IntegerId('merged_error_id') mergedId: number,
    @CurrentUser() viewer: Viewer,
  ): Promise<HttpResponse> {
    try {
      await this.merges.unmerge({ project, targetId, viewer }, mergedId);
    } catch (refusal) {
      const target = errorPath(project, targetId);
      return pageContext.redirect(target, { alert: refusalText(refusal) });
    }
    return pageContext.redirect(errorPath(project, mergedId), { notice: 'Error unmerged' });
  }
}
