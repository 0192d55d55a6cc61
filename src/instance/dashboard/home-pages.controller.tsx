import { Controller, Get } from '@nestjs/common';
import { MergeRequestsRepository } from '../../code/merge-requests/merge-requests.repository.js';
import type { MergeRequestRow } from '../../code/merge-requests/sql/merge-requests.js';
import { Page } from '../../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../../core/access/auth-context.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/paths.js';
import type { Page as Listed } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Pagination } from '../../core/ui/components/list.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { Context } from '../../core/ui/page-contexts.service.js';
import { FeedReader } from '../../events/pages/feed-reader.service.js';
import { VisibleEventsRepository } from '../../events/visible-events.repository.js';
import { GroupsService } from '../../workspace/groups/groups.service.js';
import { IssuesRepository } from '../../workspace/issues/issues.repository.js';
import type { IssueRow } from '../../workspace/issues/sql/issue-list.js';
import { ProjectsRepository } from '../../workspace/projects/projects.repository.js';
import { VisibleTodosRepository } from '../todos/visible-todos.repository.js';
import { AlertItem, ErrorItem, IssueItem, ReviewItem } from './home-items.js';
import { HomePage, WORK_PATHS, WorkPage } from './home.page.js';
import { HomeRepository } from './home.repository.js';

/** Rows of each card; the whole lists are linked. */
const SHOWN = 5;
const SHOWN_EVENTS = 8;
/** Rows of the lists without pages. */
const LISTED = 50;

/** Home page of users, and the lists of work that its cards begin. */
@Controller(atRoot())
@Page('signed_in')
export class HomePagesController {
  constructor(
    private readonly home: HomeRepository,
    private readonly todos: VisibleTodosRepository,
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly issues: IssuesRepository,
    private readonly projects: ProjectsRepository,
    private readonly events: VisibleEventsRepository,
    private readonly feeds: FeedReader,
    private readonly groups: GroupsService,
  ) {}

  /** Shows what needs the viewer, their projects with the latest activity, and what happened there. */
  @Get()
  async show(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const first = paging.latest(SHOWN);
    const recent = { filters: {}, viewer, paging: paging.latest(SHOWN_EVENTS) };
    const ofProjects = { membership: true, order_by: 'last_activity_at' } as const;
    const [todos, reviews, issues, alerts, errors, admin, projects, events, mayCreateGroups] =
      await Promise.all([
        this.todos.list(viewer.id, {}, first),
        this.listReviews(viewer, first),
        this.listIssues(viewer, first),
        this.home.alerts(viewer.id, SHOWN),
        this.home.errors(viewer.id, SHOWN),
        viewer.admin ? this.home.adminWork() : null,
        this.projects.listFirst({ filters: ofProjects, viewer }, SHOWN),
        this.events.latestOfMember(recent).then((latest) => this.feeds.withProjects(latest)),
        this.groups.mayCreateTopLevel(viewer),
      ]);
    const content = HomePage({
      csrfToken: pageContext.csrfToken,
      todos: todos.items,
      reviews: reviews.items,
      issues: issues.items,
      ...{ alerts, errors, admin, projects, events, mayCreateGroups },
    });
    return pageContext.render(content, { title: 'Home', nav: 'dashboard' });
  }

  /** Lists open merge requests that wait for a review by the viewer. */
  @Get(WORK_PATHS.reviews)
  async reviews(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const page = await this.listReviews(viewer, paging);
    const content = WorkPage({
      title: 'Review requests',
      none: 'No open review requests',
      children: page.items.map((row) => <ReviewItem key={row.id} row={row} />),
      pagination: <Pagination page={page} paging={paging} path={WORK_PATHS.reviews} query={{}} />,
    });
    const info = { title: 'Review requests', count: page.total, nav: 'dashboard' } as const;
    return pageContext.render(content, info);
  }

  /** Lists open issues that are assigned to the viewer. */
  @Get(WORK_PATHS.issues)
  async assignedIssues(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const page = await this.listIssues(viewer, paging);
    const content = WorkPage({
      title: 'Assigned issues',
      none: 'No open issues are assigned to you',
      children: page.items.map((row) => <IssueItem key={row.id} row={row} />),
      pagination: <Pagination page={page} paging={paging} path={WORK_PATHS.issues} query={{}} />,
    });
    const info = { title: 'Assigned issues', count: page.total, nav: 'dashboard' } as const;
    return pageContext.render(content, info);
  }

  /** Lists the latest unresolved alerts of the viewer's projects. */
  @Get(WORK_PATHS.alerts)
  async alerts(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
  ): Promise<HttpResponse> {
    const alerts = await this.home.alerts(viewer.id, LISTED);
    const content = WorkPage({
      title: 'Firing alerts',
      none: 'No alerts are firing',
      children: alerts.map((alert) => (
        <AlertItem key={`${alert.fullPath} ${alert.iid}`} alert={alert} />
      )),
    });
    return pageContext.render(content, { title: 'Firing alerts', nav: 'dashboard' });
  }

  /** Lists the latest new and regressed errors of the viewer's projects. */
  @Get(WORK_PATHS.errors)
  async errors(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
  ): Promise<HttpResponse> {
    const errors = await this.home.errors(viewer.id, LISTED);
    const content = WorkPage({
      title: 'New and regressed errors',
      none: 'No new errors this week',
      children: errors.map((error) => <ErrorItem key={error.id} error={error} />),
    });
    return pageContext.render(content, { title: 'New and regressed errors', nav: 'dashboard' });
  }

  private listReviews(viewer: Viewer, paging: Paging): Promise<Listed<MergeRequestRow>> {
    const filters = {
      reviewer_id: String(viewer.id),
      state: 'opened',
      order_by: 'updated_at',
    } as const;
    return this.mergeRequests.list(viewer, {}, { filters, paging });
  }

  private listIssues(viewer: Viewer, paging: Paging): Promise<Listed<IssueRow>> {
    const filters = { state: 'opened', order_by: 'updated_at' } as const;
    return this.issues.list(viewer, { scope: 'assigned_to_me' }, { filters, paging });
  }
}
