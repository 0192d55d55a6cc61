import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import {
  CreateIntegrationDto,
  ListIntegrationsDto,
  UpdateIntegrationDto,
} from './integration.dto.js';
import {
  presentIntegration,
  presentListedIntegration,
  type AlertIntegrationResponse,
  type ListedAlertIntegrationResponse,
} from './integration.presenter.js';
import { storedType } from './integration-types.js';
import { AlertIntegrationsRepository } from '../alert-integrations.repository.js';
import { IntegrationsService } from './integrations.service.js';

/** Alert integrations of a project; for its maintainers. */
@Controller('projects/:id/alert_management/http_integrations')
@Scopes()
@ProjectAbility('admin_alert_integration')
export class AlertIntegrationsController {
  constructor(
    private readonly repository: AlertIntegrationsRepository,
    private readonly integrations: IntegrationsService,
  ) {}

  /** Lists the integrations of a project, oldest first. */
  @Get()
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
}
