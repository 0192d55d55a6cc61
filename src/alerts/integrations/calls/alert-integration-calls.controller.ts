import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { Scopes } from '../../../core/access/access.decorator.js';
import { ApiErrors, ApiParameters } from '../../../core/openapi/api.decorators.js';
import { mapPage } from '../../../core/pagination/page.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import {
  CurrentProject,
  ProjectAbility,
} from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { TouchedAlert } from '../../ingest/alert-source.js';
import { AlertDeliveriesRepository } from '../../alert-deliveries.repository.js';
import {
  presentDelivery,
  presentListedDelivery,
  type AlertDeliveryResponse,
  type ListedAlertDeliveryResponse,
} from './delivery.presenter.js';
import { AlertIntegrationsRepository } from '../../alert-integrations.repository.js';
import { TestAlertDto, TestPayload } from './test-payload.js';
import { TestAlerts } from './test-alerts.service.js';

/** Deliveries of an integration, and test alerts. */
@Controller('projects/:id/alert_management/http_integrations/:integration_id')
@Scopes()
export class AlertIntegrationCallsController {
  constructor(
    private readonly integrations: AlertIntegrationsRepository,
    private readonly tests: TestAlerts,
    private readonly deliveries: AlertDeliveriesRepository,
  ) {}

  /** Sends a test alert, which creates a real alert. The integration must be active. */
  @Post('test_alert')
  @HttpCode(200)
  @ProjectAbility('send_test_alert')
  @ApiParameters(TestAlertDto)
  @ApiErrors(422)
  async sendTestAlert(
    @CurrentProject() project: ProjectRow,
    @IntegerId('integration_id') id: number,
    @TestPayload() payload: Buffer,
  ): Promise<TouchedAlert[]> {
    return this.tests.send(project, await this.integrations.get(project.id, id), payload);
  }

  /** Lists the latest deliveries to the webhook, newest first. */
  @Get('deliveries')
  @ProjectAbility('admin_alert_integration')
  async listDeliveries(
    @CurrentProject() project: ProjectRow,
    @IntegerId('integration_id') id: number,
    @Pages() paging: Paging,
  ): Promise<ListedAlertDeliveryResponse[]> {
    const integration = await this.integrations.get(project.id, id);
    const page = await this.deliveries.list(integration.id, paging);
    return paging.write(mapPage(page, presentListedDelivery));
  }

  /** Shows a delivery with its payload. */
  @Get('deliveries/:delivery_id')
  @ProjectAbility('admin_alert_integration')
  async showDelivery(
    @CurrentProject() project: ProjectRow,
    @IntegerId('integration_id') id: number,
    @IntegerId('delivery_id') deliveryId: number,
  ): Promise<AlertDeliveryResponse> {
    const integration = await this.integrations.get(project.id, id);
    return presentDelivery(await this.deliveries.get(integration.id, deliveryId));
  }

  /** Replays a delivery with the integration's current configuration. */
  @Post('deliveries/:delivery_id/replay')
  @HttpCode(200)
  @ProjectAbility('admin_alert_integration')
  @ApiErrors(422)
  async replayDelivery(
    @CurrentProject() project: ProjectRow,
    @IntegerId('integration_id') id: number,
    @IntegerId('delivery_id') deliveryId: number,
  ): Promise<TouchedAlert[]> {
    const integration = await this.integrations.get(project.id, id);
    return this.tests.replay(project, integration, deliveryId);
  }
}
