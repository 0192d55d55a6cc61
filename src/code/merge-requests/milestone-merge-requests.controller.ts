import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { ResponseContext } from '../../core/response-context.js';
import { MilestonesRepository } from '../../workspace/milestones/milestones.repository.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { assertMergeRequestsEnabled } from './merge-request-access.js';
import { presentMergeRequestInList } from './merge-request.presenter.js';
import { MergeRequestsRepository } from './merge-requests.repository.js';
import type { MergeRequestInListResponse } from './merge-request.response.js';

/** The merge requests that work towards a milestone. */
@Controller('projects/:id/milestones/:milestone_id/merge_requests')
@Scopes()
@ProjectAbility('read_merge_request')
export class MilestoneMergeRequestsController {
  constructor(
    private readonly milestones: MilestonesRepository,
    private readonly requests: MergeRequestsRepository,
  ) {}

  /** Lists the merge requests of a milestone. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @IntegerId('milestone_id') id: number,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<MergeRequestInListResponse[]> {
    assertMergeRequestsEnabled(project);
    const milestone = await this.milestones.findInProject(project.id, id);
    const selection = { projectId: project.id, milestoneId: milestone.id };
    const page = await this.requests.list(presentation.viewer, selection, { filters: {}, paging });
    return paging.write(mapPage(page, (row) => presentMergeRequestInList(row, presentation)));
  }
}
