import { Controller, Get, Param } from '@nestjs/common';
import { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/root-path.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { Context } from '../../core/ui/context.decorator.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { CurrentGroup, GroupPage } from '../../workspace/groups/group-access.guard.js';
import type { GroupRow } from '../../workspace/groups/groups.repository.js';
import { groupInfo } from '../../workspace/groups/pages/group-frame.js';
import { projectInfo } from '../../workspace/projects/pages/project-frame.js';
import { ProjectPage } from '../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../workspace/projects/project-access.guard.js';
import { fullPathOf, type ProjectRow } from '../../workspace/projects/projects.repository.js';
import { VisibleEventsRepository } from '../visible-events.repository.js';
import {
  GroupActivityPage,
  ProjectActivityPage,
  DashboardActivityPage,
  UserActivityPage,
} from './activity.page.js';
import { FeedQuery, filtersOf, FeedReader } from './feed-reader.service.js';
import { Page } from '../../core/access/page.decorator.js';
import { CurrentUser } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import { NotFoundError } from '../../core/errors.js';
import { UsersRepository } from '../../identity/users/users.repository.js';
import { showsActivity } from '../profile-visibility.js';

const NOTHING = { items: [], hasNext: false, total: 0 };

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

  /** Shows what happened in the projects of the group and below, as far as the viewer can see it. */
  @Get('groups/*group_path/-/activity')
  @GroupPage('read_group', 'anyone')
  async ofGroup(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Input() query: FeedQuery,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const { viewer } = pageContext;
    const filters = filtersOf(query);
    const page = await this.events.listOfGroup(group.id, { viewer, filters, paging });
    const path = `/groups/${group.fullPath}/-/activity`;
    const feed = await this.feeds.shown(page, { query, paging, path });
    return pageContext.render(GroupActivityPage({ feed }), groupInfo(group, 'Activity'));
  }

  /** Shows what happened in the project, as far as the viewer can see it. */
  @Get('*project_path/-/activity')
  @ProjectPage('read_project', 'anyone')
  async ofProject(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Input() query: FeedQuery,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const { viewer } = pageContext;
    const filters = filtersOf(query);
    const page = await this.events.listOfProject(project, { viewer, filters, paging });
    const path = `/${fullPathOf(project)}/-/activity`;
    const feed = await this.feeds.shown(page, { query, paging, path });
    const content = ProjectActivityPage({ feed });
    return pageContext.render(content, projectInfo(project, 'Activity'));
  }

  /** Shows what a user did where the viewer can see it; nothing of people who show nothing. */
  @Get('users/:username/activity')
  @Page('anyone')
  async ofUser(
    @Context() pageContext: PageContext,
    @Param('username') username: string,
    @Input() query: FeedQuery,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const { viewer } = pageContext;
    const user = await this.users.findByUsername(username);
    if (user === null) throw new NotFoundError();
    const filters = filtersOf(query);
    const isShown = showsActivity(user, viewer);
    const request = { viewer, filters, paging };
    const page = isShown ? await this.events.listOfUser(user.id, request) : NOTHING;
    const path = `/users/${user.username}/activity`;
    const feed = await this.feeds.shown(page, { query, paging, path });
    const crumbs = [{ label: user.name, href: `/${user.username}` }];
    return pageContext.render(UserActivityPage({ user, feed }), { title: 'Activity', crumbs });
  }

  /** Shows what happened in the projects that the viewer is a member of. */
  @Get('dashboard/activity')
  @Page('signed_in')
  async ofMember(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Input() query: FeedQuery,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const filters = filtersOf(query);
    const page = await this.events.listOfMember({ viewer, filters, paging });
    const path = '/dashboard/activity';
    const feed = await this.feeds.shown(page, { query, paging, path });
    const content = DashboardActivityPage({ viewer, feed });
    return pageContext.render(content, { title: 'Activity', nav: 'dashboard' });
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
