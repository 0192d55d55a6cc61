import { Controller, Get, Post } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { ApiError, NotFoundError } from '../../../core/errors.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { refusalText } from '../../../core/ui/forms.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { AlertDeliveriesRepository } from '../../alert-deliveries.repository.js';
import { TestAlerts } from '../../integrations/test-alerts.service.js';
import {
  AlertIntegrationsRepository,
  type IntegrationRow,
} from '../../alert-integrations.repository.js';
import { integrationsPath } from '../alert-paths.js';
import { DeliveriesPage, DeliveryPage } from './deliveries.page.js';
import { integrationInfo } from './integration.page.js';

/** Deliveries of an integration; for the project's maintainers. */
@Controller(atRoot('*project_path/-/settings/alert_integrations/:id/deliveries'))
export class DeliveryPagesController {
  constructor(
    private readonly integrations: AlertIntegrationsRepository,
    private readonly deliveries: AlertDeliveriesRepository,
    private readonly tests: TestAlerts,
  ) {}

  /** Lists the latest deliveries. */
  @Get()
  @ProjectPage('admin_alert_integration', 'signed_in')
  async list(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const integration = await this.find(project, id);
    const deliveries = await this.deliveries.list(id, paging);
    const page = DeliveriesPage({ pageContext, project, integration, deliveries, paging });
    const context = { project, viewer: pageContext.viewer };
    return pageContext.render(page, integrationInfo(context, `${integration.name} deliveries`));
  }

  /** Shows a delivery with what was sent. */
  @Get(':delivery_id')
  @ProjectPage('admin_alert_integration', 'signed_in')
  async show(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
    @IntegerId('delivery_id') deliveryId: number,
  ): Promise<HttpResponse> {
    const integration = await this.find(project, id);
    const delivery = await this.deliveries.get(id, deliveryId);
    const page = DeliveryPage({ pageContext, project, integration, delivery });
    const context = { project, viewer: pageContext.viewer };
    return pageContext.render(page, integrationInfo(context, `Delivery ${deliveryId}`));
  }

  /** Replays a delivery, and shows the alerts that it touched. */
  @Post(':delivery_id/replay')
  @ProjectPage('admin_alert_integration', 'signed_in')
  async replay(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
    @IntegerId('delivery_id') deliveryId: number,
  ): Promise<HttpResponse> {
    const integration = await this.find(project, id);
    const path = `${integrationsPath(project)}/${id}/deliveries`;
    try {
      const touched = await this.tests.replay(project, integration, deliveryId);
      const iids = touched.map(({ iid }) => `#${iid}`).join(', ');
      const notice =
        iids === '' ? 'Replayed without effect on any alert.' : `Replayed: alert ${iids}.`;
      return pageContext.redirect(path, { notice });
    } catch (error) {
      return pageContext.redirect(path, { alert: replayRefusal(error) });
    }
  }

  /** External paging gets no deliveries. */
  private async find(project: ProjectRow, id: number): Promise<IntegrationRow> {
    const integration = await this.integrations.get(project.id, id);
    if (integration.type === 'external_paging') throw new NotFoundError();
    return integration;
  }
}

/** Points to the delivery that the attempt recorded, which holds the payload's errors. */
function replayRefusal(error: unknown): string {
  const isPlain = error instanceof ApiError && error.body['message'] === '400 Bad request';
  if (!isPlain && !(error instanceof ApiError && error.status === 422)) return refusalText(error);
  return 'The delivery was rejected again. The latest delivery shows the reason.';
}
