import { Controller, Get } from '@nestjs/common';
import type { Answer } from '../../../core/http/answer.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { Shell } from '../../../core/ui/shell.decorator.js';
import type { PageShell } from '../../../core/ui/shell.js';
import { ProjectPage } from '../../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../projects/project-access.guard.js';
import type { ProjectRow } from '../../../projects/projects.repository.js';
import { alertInfo, AlertViews } from './alert-views.service.js';
import { AlertPage, AlertView } from './alert.page.js';

/** The page of an alert, and its live part; for the project's developers. */
@Controller(atRoot('*project_path/-/alert_management/:iid/details'))
export class AlertPagesController {
  constructor(private readonly views: AlertViews) {}

  /** Shows an alert with what was done about it. */
  @Get()
  @ProjectPage('read_alert', 'signed_in')
  async show(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @IntegerId('iid') iid: number,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    const view = await this.views.read(shell, { project, iid }, paging);
    return shell.page(AlertPage(view), alertInfo(project, view.alert));
  }

  /** Shows the live part of that page. */
  @Get('live')
  @ProjectPage('read_alert', 'signed_in')
  async live(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @IntegerId('iid') iid: number,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    return shell.fragment(AlertView(await this.views.read(shell, { project, iid }, paging)));
  }
}
