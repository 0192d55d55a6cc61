import { Controller, Post } from '@nestjs/common';
import { Scopes } from '../core/access/access.decorator.js';
import { Refuses } from '../core/access/refuses.decorator.js';
import { ResponseContext } from '../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { AutoMerges } from './auto-merges.service.js';
import { assertTakesMergeRequests } from './merge-request-access.js';
import {
  ChangeOfMergeRequest,
  type MergeRequestIidChange,
} from './merge-request-change.decorator.js';
import { MergeRequestViews } from './merge-request-views.service.js';
import { presentMergeRequest } from './merge-request.presenter.js';
import type { PresentedMergeRequest } from './presented-merge-request.js';

/** Merges that wait for pipelines. */
@Controller('projects/:id/merge_requests/:merge_request_iid')
@Scopes()
export class MergeRequestAutoMergesController {
  constructor(
    private readonly autoMerges: AutoMerges,
    private readonly views: MergeRequestViews,
  ) {}

  /** Cancels auto-merge; requires the author or permission to merge. */
  @Post('cancel_merge_when_pipeline_succeeds')
  @ProjectAbility('read_merge_request')
  @Refuses(405, 406)
  async cancel(
    @CurrentProject() project: ProjectRow,
    @ChangeOfMergeRequest() change: MergeRequestIidChange,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<PresentedMergeRequest> {
    assertTakesMergeRequests(project);
    await this.autoMerges.cancel(project, change);
    const { viewer, iid } = change;
    const { row, ...found } = await this.views.show({ project, viewer, iid });
    return presentMergeRequest(row, found, presentation);
  }
}
