import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import type { JsonText } from '../../core/http/http-response.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { toJsonText } from '../../core/pagination/json-items.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ResponseContext } from '../../core/response-context.js';
import { withLabelDetails } from '../../workspace/labels/label.response.js';
import { LabelsRepository } from '../../workspace/labels/labels.repository.js';
import { MilestonesRepository } from '../../workspace/milestones/milestones.repository.js';
import {
  BriefProject,
  CurrentProject,
  ProjectAbility,
} from '../../workspace/projects/project-access.guard.js';
import type { BriefProjectRow } from '../../workspace/projects/sql/project-statements.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import {
  IssuableRef,
  RequestContext,
  type ActorContext,
  type IssuableReference,
} from '../../workspace/spam/request-context.decorator.js';
import { AutoMerges } from './auto-merges.service.js';
import { assertMergeRequestsEnabled, assertTakesMergeRequests } from './merge-request-access.js';
import {
  CreateMergeRequestDto,
  ListMergeRequestsDto,
  MergeDto,
  UpdateMergeRequestDto,
  wantsToWait,
} from './merge-request.dto.js';
import { MergeRequestMerging } from './merge-request-merging.service.js';
import { MergeRequestDetailsService } from './merge-request-details.service.js';
import {
  mergeRequestFormat,
  presentMergeRequest,
  presentMergeRequestElsewhere,
  presentMergeRequestInList,
} from './merge-request.presenter.js';
import type { MergeRequestInListResponse, MergeRequestResponse } from './merge-request.response.js';
import { MergeRequestsRepository } from './merge-requests.repository.js';
import { MergeRequestsService } from './merge-requests.service.js';

/** Merge requests of a project, of a milestone, and of all projects together. */
@Controller()
@Scopes()
export class MergeRequestsController {
  constructor(
    private readonly repository: MergeRequestsRepository,
    private readonly requests: MergeRequestsService,
    private readonly details: MergeRequestDetailsService,
    private readonly merging: MergeRequestMerging,
    private readonly autoMerges: AutoMerges,
    private readonly milestones: MilestonesRepository,
    private readonly labels: LabelsRepository,
  ) {}

  /** Lists the merge requests of a project. */
  @Get('projects/:id/merge_requests')
  @ProjectAbility('read_merge_request')
  @BriefProject()
  async list(
    @CurrentProject() project: BriefProjectRow,
    @Input() filters: ListMergeRequestsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<JsonText<MergeRequestInListResponse[]>> {
    assertMergeRequestsEnabled(project);
    const { viewer } = presentation;
    const selection = { projectId: project.id, scope: filters.scope };
    if (filters.with_labels_details !== true) {
      const list = { filters, paging, format: mergeRequestFormat(presentation) };
      return paging.writeJson(await this.repository.listItems(viewer, selection, list));
    }
    const page = await this.repository.list(viewer, selection, { filters, paging });
    const find = await this.labels.detailsFor(filters, page);
    const items = mapPage(page, (row) =>
      withLabelDetails(presentMergeRequestInList(row, presentation), row, find),
    );
    return toJsonText(paging.write(items));
  }

  /** Shows a merge request by its number in the project, and checks its mergeability. */
  @Get('projects/:id/merge_requests/:merge_request_iid')
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
  @Post('projects/:id/merge_requests')
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
  @Put('projects/:id/merge_requests/:merge_request_iid')
  @ProjectAbility('read_merge_request')
  @ApiErrors(409, 412, 422, 503)
  async update(
    @CurrentProject() project: ProjectRow,
    @Input() dto: UpdateMergeRequestDto,
    @IssuableRef('merge_request_iid') change: IssuableReference,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<MergeRequestResponse> {
    assertTakesMergeRequests(project);
    await this.requests.update({ project, dto }, change);
    return this.present(project, change.iid, presentation);
  }

  /** Merges, or enables auto-merge; 401 without permission to push to the target branch. */
  @Put('projects/:id/merge_requests/:merge_request_iid/merge')
  @ProjectAbility('read_merge_request')
  @ApiErrors(405, 409, 412, 422)
  async merge(
    @CurrentProject() project: ProjectRow,
    @Input() dto: MergeDto,
    @IssuableRef('merge_request_iid') change: IssuableReference,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<MergeRequestResponse> {
    assertTakesMergeRequests(project);
    const request = { project, dto };
    const waits = wantsToWait(dto) && (await this.autoMerges.enable(request, change));
    if (!waits) await this.merging.merge(request, change);
    return this.present(project, change.iid, presentation);
  }

  /** Cancels auto-merge; requires the author or permission to merge. */
  @Post('projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds')
  @ProjectAbility('read_merge_request')
  @ApiErrors(405, 406)
  async cancel(
    @CurrentProject() project: ProjectRow,
    @IssuableRef('merge_request_iid') change: IssuableReference,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<MergeRequestResponse> {
    assertTakesMergeRequests(project);
    await this.autoMerges.cancel(project, change);
    return this.present(project, change.iid, presentation);
  }

  /** Deletes a merge request permanently; its branches are kept. */
  @Delete('projects/:id/merge_requests/:merge_request_iid')
  @HttpCode(204)
  @ProjectAbility('own_project')
  @ApiErrors(412)
  delete(
    @CurrentProject() project: ProjectRow,
    @IssuableRef('merge_request_iid') change: IssuableReference,
  ): Promise<void> {
    assertTakesMergeRequests(project);
    return this.requests.delete(project, change);
  }

  /** Lists merge requests of all projects; by default those created by the viewer. */
  @Get('merge_requests')
  @Ability('signed_in')
  async listOfAllProjects(
    @Input() filters: ListMergeRequestsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<MergeRequestInListResponse[]> {
    const selection = { scope: filters.scope ?? 'created_by_me' };
    const page = await this.repository.list(presentation.viewer, selection, { filters, paging });
    return paging.write(mapPage(page, (row) => presentMergeRequestElsewhere(row, presentation)));
  }

  /** Lists the merge requests of a milestone. */
  @Get('projects/:id/milestones/:milestone_id/merge_requests')
  @ProjectAbility('read_merge_request')
  async listOfMilestone(
    @CurrentProject() project: ProjectRow,
    @IntegerId('milestone_id') id: number,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<MergeRequestInListResponse[]> {
    assertMergeRequestsEnabled(project);
    const milestone = await this.milestones.findInProject(project.id, id);
    const selection = { projectId: project.id, milestoneId: milestone.id };
    const page = await this.repository.list(presentation.viewer, selection, {
      filters: {},
      paging,
    });
    return paging.write(mapPage(page, (row) => presentMergeRequestInList(row, presentation)));
  }

  private async present(
    project: ProjectRow,
    iid: number,
    presentation: ResponseContext,
  ): Promise<MergeRequestResponse> {
    const { row, ...found } = await this.details.find({
      project,
      viewer: presentation.viewer,
      iid,
    });
    return presentMergeRequest(row, found, presentation);
  }
}
