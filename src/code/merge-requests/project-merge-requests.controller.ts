import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { AutoMerges } from './auto-merges.service.js';
import { assertMergeRequestsEnabled, assertTakesMergeRequests } from './merge-request-access.js';
import { MergeRequestRef, type MergeRequestReference } from './merge-request-ref.decorator.js';
import { ListMergeRequestsDto } from './merge-request-filters.dto.js';
import { MergeRequestMerging } from './merge-request-merging.service.js';
import { MergeRequestPageRenderer } from './merge-request-page-renderer.service.js';
import {
  CreateMergeRequestDto,
  MergeDto,
  UpdateMergeRequestDto,
  wantsToWait,
} from './merge-request.dto.js';
import { presentMergeRequest, presentMergeRequestInList } from './merge-request.presenter.js';
import { MergeRequestsRepository } from './merge-requests.repository.js';
import { MergeRequestsService } from './merge-requests.service.js';
import type { MergeRequestResponse, MergeRequestInListResponse } from './merge-request.response.js';
import {
  type ActorContext,
  RequestContext,
} from '../../workspace/spam/request-context.decorator.js';

/** Merge requests of a project. */
@Controller('projects/:id/merge_requests')
@Scopes()
export class ProjectMergeRequestsController {
  constructor(
    private readonly repository: MergeRequestsRepository,
    private readonly requests: MergeRequestsService,
    private readonly views: MergeRequestPageRenderer,
    private readonly merging: MergeRequestMerging,
    private readonly autoMerges: AutoMerges,
  ) {}

  /** Lists the merge requests of a project. */
  @Get()
  @ProjectAbility('read_merge_request')
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListMergeRequestsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<MergeRequestInListResponse[]> {
    assertMergeRequestsEnabled(project);
    const { viewer } = presentation;
    const selection = { projectId: project.id, scope: filters.scope };
    const page = await this.repository.list(viewer, selection, { filters, paging });
    return paging.write(mapPage(page, (row) => presentMergeRequestInList(row, presentation)));
  }

  /** Shows a merge request by its number in the project, and checks its mergeability. */
  @Get(':merge_request_iid')
  @ProjectAbility('read_merge_request')
  show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('merge_request_iid') iid: number,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<MergeRequestResponse> {
    assertMergeRequestsEnabled(project);
    return this.present(project, iid, presentation);
  }

  /** Opens a merge request. */
  @Post()
  @RateLimit('create')
  @ProjectAbility('create_merge_request')
  @ApiErrors(409, 422, 503)
  async create(
    @CurrentProject() project: ProjectRow,
    @Input() dto: CreateMergeRequestDto,
    @RequestContext() change: ActorContext,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<MergeRequestResponse> {
    assertTakesMergeRequests(project);
    const iid = await this.requests.create({ project, dto }, change);
    return this.present(project, iid, presentation);
  }

  /** Updates, closes or reopens a merge request; requires its author or a Developer. */
  @Put(':merge_request_iid')
  @ProjectAbility('read_merge_request')
  @ApiErrors(409, 412, 422, 503)
  async update(
    @CurrentProject() project: ProjectRow,
    @Input() dto: UpdateMergeRequestDto,
    @MergeRequestRef() change: MergeRequestReference,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<MergeRequestResponse> {
    assertTakesMergeRequests(project);
    await this.requests.update({ project, dto }, change);
    return this.present(project, change.iid, presentation);
  }

  /** Merges, or enables auto-merge; 401 without permission to push to the target branch. */
  @Put(':merge_request_iid/merge')
  @ProjectAbility('read_merge_request')
  @ApiErrors(405, 409, 412, 422)
  async merge(
    @CurrentProject() project: ProjectRow,
    @Input() dto: MergeDto,
    @MergeRequestRef() change: MergeRequestReference,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<MergeRequestResponse> {
    assertTakesMergeRequests(project);
    const request = { project, dto };
    const waits = wantsToWait(dto) && (await this.autoMerges.enable(request, change));
    if (!waits) await this.merging.merge(request, change);
    return this.present(project, change.iid, presentation);
  }

  /** Cancels auto-merge; requires the author or permission to merge. */
  @Post(':merge_request_iid/cancel_merge_when_pipeline_succeeds')
  @ProjectAbility('read_merge_request')
  @ApiErrors(405, 406)
  async cancel(
    @CurrentProject() project: ProjectRow,
    @MergeRequestRef() change: MergeRequestReference,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<MergeRequestResponse> {
    assertTakesMergeRequests(project);
    await this.autoMerges.cancel(project, change);
    return this.present(project, change.iid, presentation);
  }

  /** Deletes a merge request permanently; its branches are kept. */
  @Delete(':merge_request_iid')
  @HttpCode(204)
  @ProjectAbility('own_project')
  @ApiErrors(412)
  delete(
    @CurrentProject() project: ProjectRow,
    @MergeRequestRef() change: MergeRequestReference,
  ): Promise<void> {
    assertTakesMergeRequests(project);
    return this.requests.delete(project, change);
  }

  private async present(
    project: ProjectRow,
    iid: number,
    presentation: ResponseContext,
  ): Promise<MergeRequestResponse> {
    const { row, ...found } = await this.views.show({ project, viewer: presentation.viewer, iid });
    return presentMergeRequest(row, found, presentation);
  }
}
