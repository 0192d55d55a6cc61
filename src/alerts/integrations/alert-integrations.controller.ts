import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../core/access/auth-context.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { TouchedAlert } from '../ingest/alert-source.js';
import { storedType } from './integration-attributes.js';
import {
  CreateIntegrationDto,
  ListIntegrationsDto,
  TestAlertDto,
  UpdateIntegrationDto,
} from './integration.dto.js';
import {
  presentIntegration,
  presentListedIntegration,
  type AlertIntegrationResponse,
  type ListedAlertIntegrationResponse,
  presentDelivery,
  presentListedDelivery,
  type AlertDeliveryResponse,
  type ListedAlertDeliveryResponse,
} from './integration.presenter.js';
import { AlertIntegrationsRepository } from '../alert-integrations.repository.js';
import { IntegrationsService } from './integrations.service.js';
import { ApiErrors, ApiParameters } from '../../core/openapi/api.decorators.js';
import { AlertDeliveriesRepository } from '../alert-deliveries.repository.js';
import { TestPayload, TestAlerts } from './test-alerts.service.js';

/** Alert integrations of a project, their deliveries and test alerts. */
@Controller('projects/:id/alert_management/http_integrations')
@Scopes()
export class AlertIntegrationsController {
  constructor(
    private readonly repository: AlertIntegrationsRepository,
    private readonly integrations: IntegrationsService,
    private readonly tests: TestAlerts,
    private readonly deliveries: AlertDeliveriesRepository,
  ) {}

  /** Lists the integrations of a project, oldest first. */
  @Get()
  @ProjectAbility('admin_alert_integration')
  async list(
    @CurrentProject() project: ProjectRow,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Input() filters: ListIntegrationsDto,
    @Pages() paging: Paging,
  ): Promise<ListedAlertIntegrationResponse[]> {
    const type = filters.type ? storedType(filters.type) : null;
    const page = await this.repository.page(project.id, { type }, paging);
    return paging.write(
      mapPage(page, (row) => presentListedIntegration(row, { project, baseUrl })),
    );
  }

  /** Shows an integration with its key and webhook URL. */
  @Get(':integration_id')
  @ProjectAbility('admin_alert_integration')
  async show(
    @CurrentProject() project: ProjectRow,
    @ResponseContext() { baseUrl }: ResponseContext,
    @IntegerId('integration_id') id: number,
  ): Promise<AlertIntegrationResponse> {
    const integration = await this.repository.get(project.id, id);
    return presentIntegration(integration, { project, baseUrl });
  }

  /** Creates an integration. */
  @Post()
  @ProjectAbility('admin_alert_integration')
  async create(
    @CurrentProject() project: ProjectRow,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Input() dto: CreateIntegrationDto,
    @Auth() auth: AuthContext,
  ): Promise<AlertIntegrationResponse> {
    const integration = await this.integrations.create(project, dto, auth);
    return presentIntegration(integration, { project, baseUrl });
  }

  /** Updates an integration; omitted attributes and the key are unchanged. */
  @Put(':integration_id')
  @ProjectAbility('admin_alert_integration')
  async update(
    @CurrentProject() project: ProjectRow,
    @IntegerId('integration_id') id: number,
    @Input() dto: UpdateIntegrationDto,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<AlertIntegrationResponse> {
    const chosen = { projectId: project.id, id, preconditions };
    const integration = await this.integrations.update(chosen, dto, auth);
    return presentIntegration(integration, { project, baseUrl });
  }

  /** Deletes an integration; its alerts are kept. */
  @Delete(':integration_id')
  @HttpCode(204)
  @ProjectAbility('admin_alert_integration')
  delete(
    @CurrentProject() { id: projectId }: ProjectRow,
    @IntegerId('integration_id') id: number,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    return this.integrations.delete({ projectId, id, preconditions }, auth);
  }

  /** Resets the key of an integration; the old key stops working immediately. */
  @Post(':integration_id/reset_token')
  @HttpCode(200)
  @ProjectAbility('admin_alert_integration')
  async resetToken(
    @CurrentProject() project: ProjectRow,
    @IntegerId('integration_id') id: number,
    @Auth() auth: AuthContext,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<AlertIntegrationResponse> {
    const chosen = { projectId: project.id, id };
    const integration = await this.integrations.resetToken(chosen, auth);
    return presentIntegration(integration, { project, baseUrl });
  }

  /** Sends a test alert, which creates a real alert. The integration must be active. */
  @Post(':integration_id/test_alert')
  @HttpCode(200)
  @ProjectAbility('send_test_alert')
  @ApiParameters(TestAlertDto)
  @ApiErrors(422)
  async sendTestAlert(
    @CurrentProject() project: ProjectRow,
    @IntegerId('integration_id') id: number,
    @TestPayload() payload: Buffer,
  ): Promise<TouchedAlert[]> {
    return this.tests.send(project, await this.repository.get(project.id, id), payload);
  }

  /** Lists the latest deliveries to the webhook, newest first. */
  @Get(':integration_id/deliveries')
  @ProjectAbility('admin_alert_integration')
  async listDeliveries(
    @CurrentProject() project: ProjectRow,
    @IntegerId('integration_id') id: number,
    @Pages() paging: Paging,
  ): Promise<ListedAlertDeliveryResponse[]> {
    const integration = await this.repository.get(project.id, id);
    const page = await this.deliveries.list(integration.id, paging);
    return paging.write(mapPage(page, presentListedDelivery));
  }

  /** Shows a delivery with its payload. */
  @Get(':integration_id/deliveries/:delivery_id')
  @ProjectAbility('admin_alert_integration')
  async showDelivery(
    @CurrentProject() project: ProjectRow,
    @IntegerId('integration_id') id: number,
    @IntegerId('delivery_id') deliveryId: number,
  ): Promise<AlertDeliveryResponse> {
    const integration = await this.repository.get(project.id, id);
    return presentDelivery(await this.deliveries.get(integration.id, deliveryId));
  }

  /** Replays a delivery with the integration's current configuration. */
  @Post(':integration_id/deliveries/:delivery_id/replay')
  @HttpCode(200)
  @ProjectAbility('admin_alert_integration')
  @ApiErrors(422)
  async replayDelivery(
    @CurrentProject() project: ProjectRow,
    @IntegerId('integration_id') id: number,
    @IntegerId('delivery_id') deliveryId: number,
  ): Promise<TouchedAlert[]> {
    const integration = await this.repository.get(project.id, id);
    return this.tests.replay(project, integration, deliveryId);
  }
}
