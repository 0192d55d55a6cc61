import { Controller, Delete, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../core/access/access.decorator.js';
import { Refuses } from '../core/access/refuses.decorator.js';
import { Input } from '../core/params/input.decorator.js';
import { ResponseContext } from '../core/response-context.js';
import { RateLimit } from '../core/rate-limits/rate-limit.decorator.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { AutoMerges } from './auto-merges.service.js';
import {
  CreateMergeRequestDto,
  MergeDto,
  wantsToWait,
  UpdateMergeRequestDto,
} from './merge-request.dto.js';
import { assertTakesMergeRequests } from './merge-request-access.js';
import {
  Change,
  ChangeOfMergeRequest,
  type MergeRequestChange,
  type MergeRequestIidChange,
} from './merge-request-change.decorator.js';
import { MergeRequestChangesService } from './merge-request-changes.service.js';
import { MergeRequestMerging } from './merge-request-merging.service.js';
import { MergeRequestViews } from './merge-request-views.service.js';
import { presentMergeRequest } from './merge-request.presenter.js';
import type { PresentedMergeRequest } from './presented-merge-request.js';

/** Opening, changing and merging merge requests of a project. */
@Controller('projects/:id/merge_requests')
@Scopes()
export class ProjectMergeRequestChangesController {
  constructor(
    private readonly changes: MergeRequestChangesService,
    private readonly merging: MergeRequestMerging,
    private readonly autoMerges: AutoMerges,
    private readonly views: MergeRequestViews,
  ) {}

  /** Opens a merge request. */
  @Post()
  @RateLimit('create')
  @ProjectAbility('create_merge_request')
  @Refuses(409, 422, 503)
  async create(
    @CurrentProject() project: ProjectRow,
    @Input() dto: CreateMergeRequestDto,
    @Change() change: MergeRequestChange,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<PresentedMergeRequest> {
    assertTakesMergeRequests(project);
    const iid = await this.changes.create({ project, dto }, change);
    return this.show(project, iid, presentation);
  }

  /** Updates, closes or reopens a merge request; requires its author or a Developer. */
  @Put(':merge_request_iid')
  @ProjectAbility('read_merge_request')
  @Refuses(409, 412, 422, 503)
  async update(
    @CurrentProject() project: ProjectRow,
    @Input() dto: UpdateMergeRequestDto,
    @ChangeOfMergeRequest() change: MergeRequestIidChange,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<PresentedMergeRequest> {
    assertTakesMergeRequests(project);
    await this.changes.update({ project, dto }, change);
    return this.show(project, change.iid, presentation);
  }

  /** Merges, or enables auto-merge; 401 without permission to push to the target branch. */
  @Put(':merge_request_iid/merge')
  @ProjectAbility('read_merge_request')
  @Refuses(405, 409, 412, 422)
  async merge(
    @CurrentProject() project: ProjectRow,
    @Input() dto: MergeDto,
    @ChangeOfMergeRequest() change: MergeRequestIidChange,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<PresentedMergeRequest> {
    assertTakesMergeRequests(project);
    const wish = { project, dto };
    const waits = wantsToWait(dto) && (await this.autoMerges.arrange(wish, change));
    if (!waits) await this.merging.merge(wish, change);
    return this.show(project, change.iid, presentation);
  }

  /** Deletes a merge request permanently; its branches are kept. */
  @Delete(':merge_request_iid')
  @HttpCode(204)
  @ProjectAbility('own_project')
  @Refuses(412)
  delete(
    @CurrentProject() project: ProjectRow,
    @ChangeOfMergeRequest() change: MergeRequestIidChange,
  ): Promise<void> {
    assertTakesMergeRequests(project);
    return this.changes.delete(project, change);
  }

  private async show(
    project: ProjectRow,
    iid: number,
    presentation: ResponseContext,
  ): Promise<PresentedMergeRequest> {
    const { row, ...found } = await this.views.show({ project, viewer: presentation.viewer, iid });
    return presentMergeRequest(row, found, presentation);
  }
}
