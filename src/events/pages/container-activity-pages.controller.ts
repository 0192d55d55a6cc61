import { Controller, Get } from '@nestjs/common';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/root-path.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { Context } from '../../core/ui/context.decorator.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { CurrentGroup } from '../../workspace/groups/group-access.guard.js';
import type { GroupRow } from '../../workspace/groups/groups.repository.js';
import { groupInfo } from '../../workspace/groups/pages/group-frame.js';
import { GroupPage } from '../../workspace/groups/pages/group-page.guard.js';
import { projectInfo } from '../../workspace/projects/pages/project-frame.js';
import { ProjectPage } from '../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../workspace/projects/project-access.guard.js';
import { fullPathOf, type ProjectRow } from '../../workspace/projects/projects.repository.js';
import { VisibleEventsRepository } from '../visible-events.repository.js';
import { GroupActivityPage, ProjectActivityPage } from './container-activity.page.js';
import { FeedQuery, filtersOf } from './feed-filters.js';
import { FeedReader } from './feed-reader.service.js';

/**
 * Activity of a project, and of all projects of a group. Groups come first, as their paths look
 * like those of projects.
 */
@Controller(atRoot())
export class ContainerActivityPagesController {
  constructor(
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
    return pageContext.render(
      GroupActivityPage({ group, viewer, feed }),
      groupInfo(group, 'Activity'),
    );
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
    const content = ProjectActivityPage({ project, viewer, feed });
    return pageContext.render(content, projectInfo(project, 'Activity'));
  }
}
