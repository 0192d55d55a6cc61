import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../core/access/access.decorator.js';
import { mapPage } from '../core/pagination/page.js';
import { Pages, type Paging } from '../core/pagination/paging.decorator.js';
import { IntegerId } from '../core/params/ids.js';
import { Input } from '../core/params/input.decorator.js';
import { ResponseContext } from '../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { ListMergeRequestsDto } from './merge-request-filters.dto.js';
import { assertMergeRequestsEnabled } from './merge-request-access.js';
import { MergeRequestViews } from './merge-request-views.service.js';
import { presentMergeRequest, presentMergeRequestInList } from './merge-request.presenter.js';
import { MergeRequestsFinder } from './merge-requests-finder.service.js';
import type {
  PresentedMergeRequest,
  PresentedMergeRequestInList,
} from './presented-merge-request.js';

/** Reading the merge requests of a project. */
@Controller('projects/:id/merge_requests')
@Scopes()
@ProjectAbility('read_merge_request')
export class ProjectMergeRequestsController {
  constructor(
    private readonly finder: MergeRequestsFinder,
    private readonly views: MergeRequestViews,
  ) {}

  /** Lists the merge requests of a project. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListMergeRequestsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<PresentedMergeRequestInList[]> {
    assertMergeRequestsEnabled(project);
    const selection = { projectId: project.id, scope: filters.scope };
    const page = await this.finder.list(presentation.viewer, selection, { filters, paging });
    return paging.write(mapPage(page, (row) => presentMergeRequestInList(row, presentation)));
  }

  /** Shows a merge request by its number in the project, and checks its mergeability. */
  @Get(':merge_request_iid')
  async show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('merge_request_iid') iid: number,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<PresentedMergeRequest> {
    assertMergeRequestsEnabled(project);
    const { row, ...found } = await this.views.show({ project, viewer: presentation.viewer, iid });
    return presentMergeRequest(row, found, presentation);
  }
}
