import { Controller, Get } from '@nestjs/common';
import { presentMergeRequestElsewhere } from '../../code/merge-requests/merge-request.presenter.js';
import type { MergeRequestInListResponse } from '../../code/merge-requests/merge-request.response.js';
import { MergeRequestsRepository } from '../../code/merge-requests/merge-requests.repository.js';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { presentUserBasic, type UserBasicResponse } from '../../identity/users/user.presenter.js';
import { UsersRepository } from '../../identity/users/users.repository.js';
import { CurrentGroup, GroupAbility } from '../../workspace/groups/group-access.guard.js';
import { type GroupResponse, presentGroup } from '../../workspace/groups/group.response.js';
import { type GroupRow, GroupsRepository } from '../../workspace/groups/groups.repository.js';
import {
  type IssueInListResponse,
  presentIssueElsewhere,
} from '../../workspace/issues/issue.response.js';
import { IssuesRepository } from '../../workspace/issues/issues.repository.js';
import {
  type MilestoneResponse,
  presentMilestone,
} from '../../workspace/milestones/milestone.presenter.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import { presentProjectBasic } from '../../workspace/projects/project.presenter.js';
import type { ProjectBasicResponse } from '../../workspace/projects/project.response.js';
import {
  type ProjectRow,
  ProjectsRepository,
} from '../../workspace/projects/projects.repository.js';
import {
  presentSnippet,
  type SnippetResponse,
} from '../../workspace/snippets/snippet.presenter.js';
import { SnippetsRepository } from '../../workspace/snippets/snippets.repository.js';
import { SearchDto, searchPatterns, type SearchScope } from './search-query.js';
import { SearchRepository } from './search.repository.js';
import type { SearchContainer } from './sql/search-kinds.js';

type Found =
  | ProjectBasicResponse
  | GroupResponse
  | UserBasicResponse
  | IssueInListResponse
  | MergeRequestInListResponse
  | MilestoneResponse
  | SnippetResponse;

interface SearchRequest {
  dto: SearchDto;
  context: ResponseContext;
  paging: Paging;
}

/** Search over names and titles; results are the objects of the lists of their kind. */
@Controller()
@Scopes()
export class SearchController {
  constructor(
    private readonly search: SearchRepository,
    private readonly projects: ProjectsRepository,
    private readonly groups: GroupsRepository,
    private readonly users: UsersRepository,
    private readonly issues: IssuesRepository,
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly snippets: SnippetsRepository,
  ) {}

  /** Searches the instance. */
  @Get('search')
  @Ability('signed_in')
  everywhere(
    @Input() dto: SearchDto,
    @ResponseContext() context: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<Found[]> {
    return this.find({ dto, context, paging });
  }

  /** Searches a group, its subgroups and their projects. */
  @Get('groups/:id/search')
  @GroupAbility('read_group', 'signed_in')
  inGroup(
    @CurrentGroup() group: GroupRow,
    @Input() dto: SearchDto,
    @ResponseContext() context: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<Found[]> {
    return this.find({ dto, context, paging }, { groupId: group.id });
  }

  /** Searches a project. */
  @Get('projects/:id/search')
  @ProjectAbility('read_project', 'signed_in')
  inProject(
    @CurrentProject() project: ProjectRow,
    @Input() dto: SearchDto,
    @ResponseContext() context: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<Found[]> {
    return this.find({ dto, context, paging }, { projectId: project.id });
  }

  private async find(request: SearchRequest, container?: SearchContainer): Promise<Found[]> {
    const { dto, context, paging } = request;
    const { scope, search, state, confidential, order_by: by, sort } = dto;
    const isOrdered = Boolean(by) || Boolean(sort);
    const found = await this.search.findIds(
      scope,
      {
        patterns: searchPatterns(search),
        viewer: context.viewer,
        container,
        state,
        confidential,
        direction: isOrdered ? (sort ?? 'desc') : undefined,
      },
      paging,
    );
    const items = await this.present(scope, found.items, { context, paging });
    const byId = new Map(items.map((item) => [item.id, item]));
    // Someone can have deleted one of them meanwhile.
    const inOrder = found.items.flatMap((id) => byId.get(id) ?? []);
    return paging.write({ ...found, items: inOrder });
  }

  /** Reads what was found as the lists do, in any order. */
  private async present(
    scope: SearchScope,
    ids: readonly number[],
    { context, paging }: Omit<SearchRequest, 'dto'>,
  ): Promise<Found[]> {
    if (ids.length === 0) return [];
    const { viewer, baseUrl } = context;
    const all = { filters: {}, paging: paging.latest(ids.length) };
    switch (scope) {
      case 'projects': {
        const { items } = await this.projects.list({ ...all, viewer, scope: { ids } }, all.paging);
        return items.map((row) => presentProjectBasic(row, context));
      }
      case 'groups': {
        const { items } = await this.groups.list({ ...all, viewer, ids }, all.paging);
        return items.map((row) => presentGroup(row, context));
      }
      case 'users': {
        const { items } = await this.users.list({ ids }, viewer, all.paging);
        return items.map((row) => presentUserBasic(row, baseUrl));
      }
      case 'issues': {
        const { items } = await this.issues.list(viewer, { ids }, all);
        return items.map((row) => presentIssueElsewhere(row, context));
      }
      case 'merge_requests': {
        const { items } = await this.mergeRequests.list(viewer, { ids }, all);
        return items.map((row) => presentMergeRequestElsewhere(row, context));
      }
      case 'milestones':
        return (await this.search.findMilestones(ids)).map(({ milestone, projectFullPath }) =>
          presentMilestone(milestone, { baseUrl, projectFullPath }),
        );
      case 'snippet_titles': {
        const { items } = await this.snippets.list(viewer, { ids }, all);
        return items.map((row) => presentSnippet(row, context));
      }
    }
  }
}
