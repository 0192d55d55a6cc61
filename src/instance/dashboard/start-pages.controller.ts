import { Controller, Get } from '@nestjs/common';
import { Page } from '../../core/access/page.decorator.js';
import { CurrentUser } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/root-path.js';
import { Context } from '../../core/ui/context.decorator.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { GroupPermissions } from '../../workspace/groups/group-permissions.service.js';
import { GroupsRepository } from '../../workspace/groups/groups.repository.js';
import { ProjectsRepository } from '../../workspace/projects/projects.repository.js';
import { DashboardPage } from './dashboard.page.js';

/** Number of rows per list; the full lists are linked. */
const SHOWN = 10;

/** The first page of the site. */
@Controller(atRoot())
@Page('signed_in')
export class StartPagesController {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly groups: GroupsRepository,
    private readonly permissions: GroupPermissions,
  ) {}

  /** Shows the viewer's projects with the latest activity, and their groups. */
  @Get()
  async show(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
  ): Promise<HttpResponse> {
    const ofProjects = { membership: true, order_by: 'last_activity_at' } as const;
    const [projects, groups, mayCreateGroups] = await Promise.all([
      this.projects.listFirst({ filters: ofProjects, viewer }, SHOWN),
      this.groups.listAfter({ filters: { all_available: false }, viewer }, null, SHOWN),
      this.permissions.mayCreateTopLevel(viewer),
    ]);
    const content = DashboardPage({ viewer, projects, groups, mayCreateGroups });
    return pageContext.render(content, { title: 'Dashboard', nav: 'dashboard' });
  }
}
