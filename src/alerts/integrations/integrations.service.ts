import { Injectable } from '@nestjs/common';
import type { AuthContext } from '../../core/access/auth-context.js';
import type { CreateIntegrationDto } from './dto/create-integration.dto.js';
import type { UpdateIntegrationDto } from './dto/update-integration.dto.js';
import { IntegrationChanges, type ChosenIntegration } from './integration-changes.service.js';
import { IntegrationCreation } from './integration-creation.service.js';
import type { FoundIntegration, IntegrationRow } from './integration-row.js';
import { IntegrationsFinder } from './integrations-finder.service.js';

/**
 * What the API and the pages offer for the integrations of a project. Whether the asker may is for
 * the caller to decide; archived projects and refused parameters are judged here.
 */
@Injectable()
export class IntegrationsService {
  constructor(
    private readonly finder: IntegrationsFinder,
    private readonly creation: IntegrationCreation,
    private readonly changes: IntegrationChanges,
  ) {}

  /** All integrations of the project, the oldest first. */
  list(projectId: number): Promise<IntegrationRow[]> {
    return this.finder.list(projectId);
  }

  /** One integration of the project; throws 404. */
  get(projectId: number, id: number): Promise<FoundIntegration> {
    return this.finder.get(projectId, id);
  }

  /** As `IntegrationCreation.create`. */
  async create(
    project: { id: number },
    dto: CreateIntegrationDto,
    auth: AuthContext,
  ): Promise<FoundIntegration> {
    const id = await this.creation.create(project.id, dto, auth);
    return this.finder.get(project.id, id);
  }

  /** As `IntegrationChanges.update`. */
  async update(
    chosen: ChosenIntegration,
    dto: UpdateIntegrationDto,
    auth: AuthContext,
  ): Promise<FoundIntegration> {
    await this.changes.update(chosen, dto, auth);
    return this.finder.get(chosen.projectId, chosen.id);
  }

  /** As `IntegrationChanges.resetToken`. */
  async resetToken(
    chosen: Pick<ChosenIntegration, 'projectId' | 'id'>,
    auth: AuthContext,
  ): Promise<FoundIntegration> {
    await this.changes.resetToken(chosen, auth);
    return this.finder.get(chosen.projectId, chosen.id);
  }

  /** As `IntegrationChanges.delete`. */
  delete(chosen: ChosenIntegration, auth: AuthContext): Promise<void> {
    return this.changes.delete(chosen, auth);
  }
}
