import { Injectable } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import type { PageContext, PageInfo } from '../../../core/ui/page-context.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { AlertDeliveriesRepository } from '../../alert-deliveries.repository.js';
import { AlertNotes } from '../../alert-notes.service.js';
import { Clock } from '../../../core/clock.js';
import { AlertsRepository } from '../../alerts.repository.js';
import { eventTrend } from '../../event-trend.js';
import { AlertPage, type AlertPageProps, type RefusedForm } from './alert.page.js';
import { projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { alertsPath } from '../alert-paths.js';

/** Reads what the page of an alert shows. */
@Injectable()
export class AlertPageRenderer {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly notes: AlertNotes,
    private readonly deliveries: AlertDeliveriesRepository,
    private readonly clock: Clock,
  ) {}

  /** The project's alert of that number with its notes, the latest first; throws 404. */
  async read(
    pageContext: PageContext,
    { project, iid }: { project: ProjectRow; iid: number },
    paging: Paging,
  ): Promise<AlertPageProps> {
    const alert = await this.alerts.findByIid(project.id, iid);
    const [notes, people, deliveries] = await Promise.all([
      this.notes.list({ project, alert }, { sort: 'desc' }, paging),
      this.alerts.listCandidates(project),
      this.deliveries.listOfAlert(alert.id),
    ]);
    const trend = eventTrend(alert, this.clock.now());
    return { pageContext, project, alert, notes, people, deliveries, trend, paging };
  }

  /** The page with what is wrong with a form of it. */
  async refuse(
    pageContext: PageContext,
    target: { project: ProjectRow; iid: number },
    { refused, paging }: { refused: RefusedForm; paging: Paging },
  ): Promise<HttpResponse> {
    const view = await this.read(pageContext, target, paging);
    const page = AlertPage({ ...view, refused });
    return pageContext.render(page, alertInfo(target.project, view.alert), 422);
  }
}

/** Returns the title, breadcrumbs and navigation of an alert page. */
export function alertInfo(
  project: ProjectRow,
  { iid, title }: { iid: number; title: string },
): PageInfo {
  const info = projectInfo(project, `${title} (#${iid})`);
  const list = { label: 'Alerts', href: alertsPath(project) };
  return { ...info, crumbs: [...(info.crumbs ?? []), list] };
}
