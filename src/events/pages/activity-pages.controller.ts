import { Controller, Get, Param, Query } from '@nestjs/common';
import { Page } from '../../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../../core/access/auth-context.js';
import { NotFoundError } from '../../core/errors.js';
import { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/paths.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { Context } from '../../core/ui/page-contexts.service.js';
import { UsersRepository } from '../../identity/users/users.repository.js';
import { CurrentGroup, GroupPage } from '../../workspace/groups/group-access.guard.js';
import type { GroupRow } from '../../workspace/groups/groups.repository.js';
import { groupInfo } from '../../workspace/groups/pages/group-frame.js';
import { projectInfo } from '../../workspace/projects/pages/project-frame.js';
import { CurrentProject, ProjectPage } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { VisibleEventsRepository } from '../visible-events.repository.js';
import {
  DashboardActivityPage,
  feedPath,
  GroupActivityPage,
  ProjectActivityPage,
  UserActivityPage,
} from './activity.page.js';
import { FeedReader, showsActivity } from './feed-reader.service.js';

type RawQuery = Record<string, unknown>;

/**
 * Activity of a project, of all projects of a group, of a user and of the viewer's projects. Groups
 * come first, as their paths look like those of projects.
 */
@Controller(atRoot())
export class ActivityPagesController {
  constructor(
    private readonly users: UsersRepository,
    private readonly events: VisibleEventsRepository,
    private readonly feeds: FeedReader,
  ) {}

  /** Shows the activity in the projects of the group and below. */
  @Get('groups/*group_path/-/activity')
  @GroupPage('read_group', 'anyone')
  async ofGroup(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Query() query: RawQuery,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const { viewer } = pageContext;
    const feed = await this.feeds.ofGroup(group, { viewer, query, paging });
    const info = { ...groupInfo(group, 'Activity'), feed: feedPath(feed) };
    return pageContext.render(GroupActivityPage({ feed }), info);
  }

  /** Shows the activity in the project. */
  @Get('*project_path/-/activity')
  @ProjectPage('read_project', 'anyone')
  async ofProject(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: RawQuery,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const { viewer } = pageContext;
    const feed = await this.feeds.ofProject(project, { viewer, query, paging });
    const info = { ...projectInfo(project, 'Activity'), feed: feedPath(feed) };
    return pageContext.render(ProjectActivityPage({ feed }), info);
  }

  /** Shows the activity of a user; none of users who hide their profile. */
  @Get('users/:username/activity')
  @Page('anyone')
  async ofUser(
    @Context() pageContext: PageContext,
    @Param('username') username: string,
    @Query() query: RawQuery,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const { viewer } = pageContext;
    const { user, feed } = await this.feeds.ofUser(username, { viewer, query, paging });
    const crumbs = [{ label: user.name, href: `/${user.username}` }];
    const info = { title: 'Activity', crumbs, feed: feedPath(feed) };
    return pageContext.render(UserActivityPage({ user, feed }), info);
  }

  /** Shows the activity in the projects that the viewer is a member of. */
  @Get('dashboard/activity')
  @Page('signed_in')
  async ofMember(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Query() query: RawQuery,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const feed = await this.feeds.ofMember(viewer, { query, paging });
    const info = { title: 'Activity', nav: 'dashboard', feed: feedPath(feed) } as const;
    return pageContext.render(DashboardActivityPage({ viewer, feed }), info);
  }

  /** Shows the contributions per day of the last twelve months as JSON; none for private profiles. */
  @Get('users/:username/calendar.json')
  @Page('anyone')
  async calendar(
    @Context() { viewer }: PageContext,
    @Param('username') username: string,
  ): Promise<HttpResponse<Record<string, number>>> {
    const user = await this.users.findByUsername(username);
    if (user === null) throw new NotFoundError('User');
    const isShown = showsActivity(user, viewer);
    const days = isShown ? await this.events.contributionDays(user.id, viewer) : [];
    return new HttpResponse(200, Object.fromEntries(days.map(({ day, count }) => [day, count])));
  }
}
