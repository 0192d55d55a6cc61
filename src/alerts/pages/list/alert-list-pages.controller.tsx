import { Controller, Get, Headers, Post, Query } from '@nestjs/common';
import { CurrentUser, type Viewer } from '../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { counted } from '../../../core/ui/amounts.js';
import type { Message } from '../../../core/ui/components/live-region.js';
import { FormInput, given, givenList, refusalText } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { UpdateAlertDto } from '../../alert.dto.js';
import { AlertIntegrationsRepository } from '../../alert-integrations.repository.js';
import { AlertsRepository } from '../../alerts.repository.js';
import { AlertsService } from '../../alerts.service.js';
import { mayChangeAlerts } from '../alert-status.js';
import { alertsPath } from '../alert-paths.js';
import { addressOfTyped, listAddress } from './alert-filters.js';
import { AlertList, FiringCount, StatusTabs, type AlertListing } from './alert-list.js';
import { AlertListings } from './alert-listings.service.js';
import { AlertsPage } from './alerts.page.js';

/** Alerts that one request changes: a page of them. */
const MOST_CHANGED = 100;

/** The page with the alerts of a project, its live part and bulk actions; for its developers. */
@Controller(atRoot('*project_path/-/alert_management'))
export class AlertListPagesController {
  constructor(
    private readonly listings: AlertListings,
    private readonly alerts: AlertsRepository,
    private readonly service: AlertsService,
    private readonly integrations: AlertIntegrationsRepository,
  ) {}

  /** Lists the open alerts, or those that the filters leave, and draws how many started when. */
  @Get()
  @ProjectPage('read_alert', 'signed_in')
  async list(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const typed = addressOfTyped(alertsPath(project), query);
    if (typed !== null) return pageContext.redirect(typed);
    const [listing, people, environments, integrations] = await Promise.all([
      this.listings.read(project.id, query, paging),
      this.alerts.listCandidates(project),
      this.alerts.listEnvironments(project.id),
      this.integrations.listWithLastDelivery(project.id),
    ]);
    const page = AlertsPage({ pageContext, project, listing, people, environments, integrations });
    const { shown } = listing;
    const count = ('groups' in shown ? shown.groups : shown.alerts).total;
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
    return showLive(pageContext, { project, listing });
  }

  /** Changes status or assignee of the selected alerts, and shows the list as it was filtered. */
  @Post('bulk')
  @ProjectPage('admin_alert', 'signed_in')
  async change(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @CurrentUser() viewer: Viewer,
    @Query() query: Record<string, unknown>,
    @Pages() paging: Paging,
    @FormInput() form: Record<string, unknown>,
    @Headers('hx-request') isLive: string | undefined,
  ): Promise<HttpResponse> {
    const message = await this.changeSelected(project, form, viewer);
    const listing = await this.listings.read(project.id, query, paging);
    if (isLive !== undefined) return showLive(pageContext, { project, listing, message });
    const address = listAddress(alertsPath(project), listing.query, paging);
    const tone = message.isRefusal === true ? 'alert' : 'notice';
    return pageContext.redirect(address, { [tone]: message.text });
  }

  private async changeSelected(
    project: ProjectRow,
    form: Record<string, unknown>,
    viewer: Viewer,
  ): Promise<Message> {
    const selected = givenList(form, 'iids').filter((iid) => /^\d{1,15}$/.test(iid));
    const iids = [...new Set(selected.map(Number))].slice(0, MOST_CHANGED);
    const assignee = given(form, 'assignee');
    const isAssignment = given(form, 'action') === 'assign';
    if (iids.length === 0) return { text: 'No alerts selected', isRefusal: true };
    if (isAssignment && assignee === '') return { text: 'Select an assignee', isRefusal: true };
    const change = isAssignment
      ? { assignee_usernames: assignee === 'None' ? [] : [assignee] }
      : { status: given(form, 'status') };
    try {
      const dto = await parseInput(UpdateAlertDto, change);
      const { changed, refusal } = await this.service.updateAll({ project, iids }, dto, viewer);
      const subject = iids.length === 1 ? `Alert #${iids[0]}` : counted(changed, 'alert');
      if (refusal === null) return { text: `${subject} ${outcomeOf(change)}` };
      const failed = counted(iids.length - changed, 'alert');
      return { text: `${failed} not changed. ${refusalText(refusal)}`, isRefusal: true };
    } catch (error) {
      return { text: refusalText(error), isRefusal: true };
    }
  }
}

/** Words after the alerts that were changed. */
function outcomeOf(change: { status: string } | { assignee_usernames: string[] }): string {
  if ('status' in change) return change.status === 'triggered' ? 'reopened' : change.status;
  const [assignee] = change.assignee_usernames;
  return assignee === undefined ? 'unassigned' : `assigned to @${assignee}`;
}

function showLive(
  pageContext: PageContext,
  { project, listing, message }: { project: ProjectRow; listing: AlertListing; message?: Message },
): HttpResponse {
  const { csrfToken, viewer } = pageContext;
  const mayChange = mayChangeAlerts(project, viewer);
  return pageContext.fragment(
    <>
      <AlertList {...listing} {...{ project, csrfToken, mayChange, message }} />
      <FiringCount count={listing.counts.triggered} isLive />
      <StatusTabs path={alertsPath(project)} listing={listing} isLive />
    </>,
  );
}
