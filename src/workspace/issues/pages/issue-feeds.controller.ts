import { Controller, Get, Query } from '@nestjs/common';
import { Feed, FEED_TOKEN_PARAM } from '../../../core/access/access.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { filledAddress } from '../../../core/ui/addresses.js';
import { atomResponse, type AtomEntry } from '../../../core/ui/atom.js';
import { filledIn } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { CurrentGroup, GroupPage } from '../../groups/group-access.guard.js';
import type { GroupRow } from '../../groups/groups.repository.js';
import { CurrentProject, ProjectPage } from '../../projects/project-access.guard.js';
import { fullPathOf, type ProjectRow } from '../../projects/projects.repository.js';
import { IssuesRepository } from '../issues.repository.js';
import type { IssueRow } from '../sql/issue-list.js';
import { filtersOf, IssuesQuery } from './issue-list.js';
import { issuePageContext } from './issue-page-context.js';

interface FeedRequest {
  raw: Record<string, unknown>;
  paging: Paging;
  title: string;
  /** Path of the feed without `.atom`. */
  path: string;
  /** Path of the page with the same issues. */
  page: string;
  scope: { projectId: number } | { groupId: number };
}

/** Issues of a project or group as Atom feeds (RFC 4287), with the filters of the list. */
@Controller(atRoot())
export class IssueFeedsController {
  constructor(private readonly issues: IssuesRepository) {}

  /** Feed of the issues of a group's projects and below. */
  @Get('groups/*group_path/-/issues.atom')
  @Feed()
  @GroupPage('read_group', 'anyone')
  ofGroup(
    @Context() pageContext: PageContext,
    @CurrentGroup() { id: groupId, fullPath }: GroupRow,
    @Query() raw: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const page = `/groups/${fullPath}`;
    const about = { title: `${fullPath} issues`, path: `${page}/-/issues`, page };
    return this.answer(pageContext, { raw, paging, scope: { groupId }, ...about });
  }

  /** Feed of the issues of a project. */
  @Get('*project_path/-/issues.atom')
  @Feed()
  @ProjectPage('read_issue', 'anyone')
  ofProject(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() raw: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const { issues: path } = issuePageContext(project, pageContext);
    const about = { title: `${fullPathOf(project)} issues`, path, page: path };
    const scope = { projectId: project.id };
    return this.answer(pageContext, { raw, paging, scope, ...about });
  }

  private async answer(
    { baseUrl, viewer }: PageContext,
    { raw, paging, title, path, page, scope }: FeedRequest,
  ): Promise<HttpResponse> {
    const query = await parseInput(IssuesQuery, filledIn(raw));
    const filters = filtersOf(query, 'issue');
    const issues = await this.issues.list(viewer, scope, { filters, paging });
    // A reader that takes over the address from here must be able to go on using it.
    const token = raw[FEED_TOKEN_PARAM];
    const self = feedAddress(path, query, typeof token === 'string' ? token : null);
    const entries = issues.items.map(entryOf);
    return atomResponse({ baseUrl, title, self, page, entries });
  }
}

/** Returns path and query of the feed of a list, for the owner of the token. */
export function feedAddress(list: string, query: IssuesQuery, token: string | null): string {
  const { state, order, search, label, milestone, assignee } = query;
  const filters = { state, order, search, label, milestone, assignee };
  return filledAddress(`${list}.atom`, { ...filters, [FEED_TOKEN_PARAM]: token });
}

function entryOf(issue: IssueRow): AtomEntry {
  const { author, projectFullPath } = issue;
  return {
    title: issue.title,
    id: `/-/issues/${issue.id}`,
    href: `/${projectFullPath}/-/issues/${issue.iid}`,
    published: issue.createdAt,
    updated: issue.updatedAt,
    author: { name: author.name, href: `/${author.username}` },
    category: projectFullPath,
    summary: issue.description,
  };
}
