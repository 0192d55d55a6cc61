import { Controller, Get, Query } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { ProjectPage } from '../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { AlertList } from './alert-list.js';
import { AlertListings } from './alert-listings.service.js';
import { AlertsPage } from './alerts.page.js';
import { AlertsRepository } from '../../alerts.repository.js';
import { AlertIntegrationsRepository } from '../../alert-integrations.repository.js';

/** The page with the alerts of a project, and its live part; for its developers. */
@Controller(atRoot('*project_path/-/alert_management'))
export class AlertListPagesController {
  constructor(
    private readonly listings: AlertListings,
    private readonly alerts: AlertsRepository,
    private readonly integrations: AlertIntegrationsRepository,
  ) {}

  /** Lists the open alerts, or those that the filters leave, and draws how many came when. */
  @Get()
  @ProjectPage('read_alert', 'signed_in')
  async list(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const listing = await this.listings.read(project.id, query, paging);
    const [periods, people, integrations] = await Promise.all([
      this.listings.periods(project.id, listing.query.activity),
      this.alerts.listCandidates(project),
      this.integrations.listWithLastDelivery(project.id),
    ]);
    const page = AlertsPage({ pageContext, project, listing, periods, people, integrations });
    const count = listing.alerts.total;
    return pageContext.render(page, { ...projectInfo(project, 'Alerts'), count });
  }

  /** Shows the live part of that page. */
  @Get('live')
  @ProjectPage('read_alert', 'signed_in')
  async live(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const listing = await this.listings.read(project.id, query, paging);
    return pageContext.fragment(
      AlertList({ ...listing, project, csrfToken: pageContext.csrfToken }),
    );
  }
}
