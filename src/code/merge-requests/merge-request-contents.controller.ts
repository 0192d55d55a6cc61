import { Controller, Get } from '@nestjs/common';
import { mapPage } from '../../core/pagination/page.js';
import { IntegerId } from '../../core/params/ids.js';
import { presentUserBasic, type UserBasicResponse } from '../../identity/users/user.presenter.js';
import { type CommitResponse, presentCommit } from '../repository/commit.response.js';
import { assertShowable, presentDiff, type DiffResponse } from '../repository/diff.response.js';
import { pageOf } from '../repository/project-repository.service.js';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import {
  presentIssueInList,
  type IssueInListResponse,
} from '../../workspace/issues/issue.response.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { assertMergeRequestsEnabled } from './merge-request-access.js';
import { MergeRequestContents } from './merge-request-contents.service.js';
import {
  MergeRequestDetailsService,
  type MergeRequestView,
} from './merge-request-details.service.js';
import { presentMergeRequest } from './merge-request.presenter.js';
import { MergeRequestsRepository } from './merge-requests.repository.js';
import type { MergeRequestChangesResponse } from './merge-request.response.js';

/** Commits, changes and participants of a merge request. */
@Controller('projects/:id/merge_requests/:merge_request_iid')
@Scopes()
@ProjectAbility('read_merge_request')
@ApiErrors(503)
export class MergeRequestContentsController {
  constructor(
    private readonly details: MergeRequestDetailsService,
    private readonly contents: MergeRequestContents,
    private readonly requests: MergeRequestsRepository,
  ) {}

  /** Lists the commits of a merge request, newest first. */
  @Get('commits')
  async commits(
    @CurrentProject() project: ProjectRow,
    @IntegerId('merge_request_iid') iid: number,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<CommitResponse[]> {
    const { row } = await this.view(project, iid, presentation);
    const page = await this.contents.commits(project, row, paging);
    return paging.write(mapPage(page, (commit) => presentCommit(commit, project, presentation)));
  }

  /**
   * Lists the changed files of a merge request with their diffs. Returns 400 for changes that are
   * too large.
   */
  @Get('diffs')
  async diffs(
    @CurrentProject() project: ProjectRow,
    @IntegerId('merge_request_iid') iid: number,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<DiffResponse[]> {
    const { row } = await this.view(project, iid, presentation);
    const { files } = assertShowable(await this.contents.diffs(project, row));
    const shown = files.slice(paging.offset, paging.offset + paging.perPage);
    const page = pageOf(shown, paging.offset, files.length);
    return paging.write(mapPage(page, (file) => presentDiff(file)));
  }

  /** Shows a merge request with all its changes. */
  @Get('changes')
  async changes(
    @CurrentProject() project: ProjectRow,
    @IntegerId('merge_request_iid') iid: number,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<MergeRequestChangesResponse> {
    const { row, ...found } = await this.view(project, iid, presentation);
    const { files, isOverflowing } = await this.contents.diffs(project, row);
    return Object.assign(presentMergeRequest(row, found, presentation), {
      changes_count: `${files.length}${isOverflowing ? '+' : ''}`,
      changes: files.map((file) => presentDiff(file)),
      overflow: isOverflowing,
    });
  }

  /** Lists the participants of a merge request: author, assignees, reviewers, commenters. */
  @Get('participants')
  async participants(
    @CurrentProject() project: ProjectRow,
    @IntegerId('merge_request_iid') iid: number,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<UserBasicResponse[]> {
    const { row } = await this.view(project, iid, presentation);
    const page = await this.requests.listParticipants(row.id, paging);
    return paging.write(mapPage(page, (user) => presentUserBasic(user, presentation.baseUrl)));
  }

  /** Lists the issues that merging closes. */
  @Get('closes_issues')
  async closedIssues(
    @CurrentProject() project: ProjectRow,
    @IntegerId('merge_request_iid') iid: number,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<IssueInListResponse[]> {
    const { row } = await this.view(project, iid, presentation);
    const place = { project, viewer: presentation.viewer };
    const page = await this.contents.closedIssues(place, row, paging);
    return paging.write(mapPage(page, (issue) => presentIssueInList(issue, presentation)));
  }

  private view(
    project: ProjectRow,
    iid: number,
    { viewer }: ResponseContext,
  ): Promise<MergeRequestView> {
    assertMergeRequestsEnabled(project);
    return this.details.find({ project, viewer, iid });
  }
}
