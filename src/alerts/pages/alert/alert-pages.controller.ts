import { Controller, Get } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { ProjectPage } from '../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { alertInfo, AlertPageRenderer } from './alert-page-renderer.service.js';
import { AlertPage, AlertView } from './alert.page.js';

/** The page of an alert, and its live part; for the project's developers. */
@Controller(atRoot('*project_path/-/alert_management/:iid/details'))
export class AlertPagesController {
  constructor(private readonly views: AlertPageRenderer) {}

  /** Shows an alert with what was done about it. */
  @Get()
  @ProjectPage('read_alert', 'signed_in')
  async show(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('iid') iid: number,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const view = await this.views.read(pageContext, { project, iid }, paging);
    return pageContext.render(AlertPage(view), alertInfo(project, view.alert));
  }

  /** Shows the live part of that page. */
  @Get('live')
  @ProjectPage('read_alert', 'signed_in')
  async live(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('iid') iid: number,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return pageContext.fragment(
      AlertView(await this.views.read(pageContext, { project, iid }, paging)),
    );
  }
}
