import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { AuditLog, changesBetween } from '../../core/audit/audit.service.js';
import { BadRequestError, NotFoundError, ValidationFailedError } from '../../core/errors.js';
import type { Preconditions } from '../../core/preconditions.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { ProjectsRepository } from '../../workspace/projects/projects.repository.js';
import { AlertIntegration, type IntegrationType } from '../alert-integration.entity.js';
import {
  AlertIntegrationsRepository,
  type FoundIntegration,
  integrationCipher,
  newIntegrationIdentifier,
  newIntegrationKey,
} from '../alert-integrations.repository.js';
import { IntegrationLookup } from '../webhook/integration-lookup.service.js';
import { ExternalPaging, integrationEntry } from './external-paging.service.js';
import {
  auditedAttributes,
  columnsOf,
  givenAttributes,
  storedType,
  wireType,
  type IntegrationAttributes,
} from './integration-attributes.js';
import type { CreateIntegrationDto, UpdateIntegrationDto } from './integration.dto.js';

/** An integration of a project, and the conditions of its change. */
export interface ChosenIntegration {
  projectId: number;
  id: number;
  preconditions: Preconditions;
}

type NewIntegration = Partial<IntegrationAttributes> &
  Pick<IntegrationAttributes, 'name' | 'active'> & { projectId: number; type: IntegrationType };

/**
 * Creates, changes and deletes integrations, each with an audit event that never contains a key.
 * All methods throw 403 for an archived project and 404 for one that is being deleted; callers
 * check the permission.
 */
@Injectable()
export class IntegrationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly projects: ProjectsRepository,
    private readonly repository: AlertIntegrationsRepository,
    private readonly lookup: IntegrationLookup,
    private readonly settings: InstanceSettings,
    private readonly paging: ExternalPaging,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Creates an integration, with a key where it has a webhook. Throws 400 with messages per
   * attribute, and 400 when the project has as many as it can have.
   */
  async create(
    { id: projectId }: { id: number },
    dto: CreateIntegrationDto,
    auth: AuthContext,
  ): Promise<FoundIntegration> {
    const type = storedType(dto.type ?? 'HTTP');
    const { name, active } = dto;
    const given = givenAttributes(type, { ...dto, api_url: dto.api_url ?? null });
    const wanted = { ...given, projectId, type, name, active };
    const id = await this.transaction(projectId, (tx) => this.insert(tx, wanted, auth));
    return this.repository.get(projectId, id);
  }

  /** Throws 404, 412 and 400 with messages per attribute. */
  async update(
    chosen: ChosenIntegration,
    dto: UpdateIntegrationDto,
    auth: AuthContext,
  ): Promise<FoundIntegration> {
    await this.transaction(chosen.projectId, async (tx) => {
      const before = await find(tx, chosen);
      if (dto.type != null && dto.type !== wireType(before.type)) {
        throw new ValidationFailedError({ type: ['cannot be changed'] });
      }
      const given = givenAttributes(before.type, dto);
      await this.write(tx, { before, given }, auth);
    });
    return this.repository.get(chosen.projectId, chosen.id);
  }

  /** Replaces the key, which is refused from then on. Throws 400 for external paging. */
  async resetToken(
    { projectId, id }: Omit<ChosenIntegration, 'preconditions'>,
    auth: AuthContext,
  ): Promise<FoundIntegration> {
    await this.transaction(projectId, async (tx) => {
      const integration = await find(tx, { projectId, id });
      if (integration.identifier === null) {
        throw new BadRequestError('external paging integrations have no key');
      }
      const encryptedToken = integrationCipher(this.config).encrypt(newIntegrationKey());
      await tx.update(AlertIntegration, { id }, { encryptedToken, updatedAt: () => 'now()' });
      await this.audit.record(tx, auth, integrationEntry(integration, 'token_reset'));
    });
    return this.repository.get(projectId, id);
  }

  /** Deletes an integration with its deliveries; alerts stay. Throws 404 and 412. */
  delete(chosen: ChosenIntegration, auth: AuthContext): Promise<void> {
    return this.transaction(chosen.projectId, async (tx) => {
      const integration = await find(tx, chosen);
      // Transactions that write alerts hold this lock and then look for the integration.
      await this.repository.lockAlertWrites(tx, chosen.projectId);
      await tx.delete(AlertIntegration, { id: chosen.id });
      await this.audit.record(tx, auth, {
        ...integrationEntry(integration, 'deleted'),
        details: { type: wireType(integration.type), active: integration.active },
      });
    });
  }

  /** Runs the work with the project locked, and clears this process' webhook cache after it. */
  private async transaction<T>(
    projectId: number,
    work: (tx: EntityManager) => Promise<T>,
  ): Promise<T> {
    const result = await this.dataSource.transaction(async (tx) => {
      await this.projects.lockForChange(tx, projectId);
      return work(tx);
    });
    this.lookup.forget();
    return result;
  }

  private async insert(
    tx: EntityManager,
    wanted: NewIntegration,
    auth: AuthContext,
  ): Promise<number> {
    const { projectId, type, active, apiUrl } = wanted;
    await this.assertBelowLimit(tx, projectId);
    await this.paging.assertOnlyOne(tx, wanted);
    if (active) await this.paging.makeWay(tx, wanted, auth);
    const row = columnsOf({ ...wanted, ...this.webhookOf(type) });
    const inserted = await tx.insert(AlertIntegration, row);
    const { id } = inserted.identifiers[0] as { id: number };
    await this.audit.record(tx, auth, {
      ...integrationEntry({ ...wanted, id }, 'created'),
      details: { type: wireType(type), active, api_url: apiUrl ?? null },
    });
    return id;
  }

  private async assertBelowLimit(tx: EntityManager, projectId: number): Promise<void> {
    const limit = this.settings.values.alert_integrations_per_project;
    const count = await tx.countBy(AlertIntegration, { projectId });
    if (count < limit) return;
    throw new BadRequestError(`the project already has ${limit} alert integrations`);
  }

  private webhookOf(
    type: IntegrationType,
  ): Pick<AlertIntegration, 'identifier' | 'encryptedToken'> {
    if (type === 'external_paging') return { identifier: null, encryptedToken: null };
    const encryptedToken = integrationCipher(this.config).encrypt(newIntegrationKey());
    return { identifier: newIntegrationIdentifier(), encryptedToken };
  }

  /** Writes nothing when no attribute changes. */
  private async write(
    tx: EntityManager,
    { before, given }: { before: AlertIntegration; given: Partial<IntegrationAttributes> },
    auth: AuthContext,
  ): Promise<void> {
    const details = changesBetween(auditedAttributes(before), auditedAttributes(given));
    if (Object.keys(details).length === 0) return;
    if (given.active === true && !before.active) await this.paging.makeWay(tx, before, auth);
    const changes = { ...columnsOf(given), updatedAt: () => 'now()' };
    await tx.update(AlertIntegration, { id: before.id }, changes);
    const { name } = { ...before, ...given };
    await this.audit.record(tx, auth, {
      ...integrationEntry({ ...before, name }, 'updated'),
      details,
    });
  }
}

/** Returns the current integration, which the project's lock keeps unchanged. */
async function find(
  tx: EntityManager,
  {
    id,
    projectId,
    preconditions,
  }: Omit<ChosenIntegration, 'preconditions'> & Partial<ChosenIntegration>,
): Promise<AlertIntegration> {
  const integration = await tx.findOneBy(AlertIntegration, { id, projectId });
  if (integration === null) throw new NotFoundError('Integration');
  preconditions?.check(integration.updatedAt);
  return integration;
}
