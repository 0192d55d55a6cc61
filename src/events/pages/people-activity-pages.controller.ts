import { Controller, Get, Param } from '@nestjs/common';
import { Page } from '../../core/access/page.decorator.js';
import { CurrentUser } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import { NotFoundError } from '../../core/errors.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/root-path.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { Context } from '../../core/ui/context.decorator.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { UsersRepository } from '../../identity/users/users.repository.js';
import { VisibleEventsRepository } from '../visible-events.repository.js';
import { showsActivity } from '../profile-visibility.js';
import { FeedQuery, filtersOf } from './feed-filters.js';
import { FeedReader } from './feed-reader.service.js';
import { DashboardActivityPage, UserActivityPage } from './people-activity.page.js';

const NOTHING = { items: [], hasNext: false, total: 0 };

/** Activity of a user, and of the viewer's projects. */
@Controller(atRoot())
export class PeopleActivityPagesController {
  constructor(
    private readonly users: UsersRepository,
    private readonly events: VisibleEventsRepository,
    private readonly feeds: FeedReader,
  ) {}

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
}
