import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { AuditTrail } from '../../core/audit/audit.service.js';
import { BadRequestError } from '../../core/errors.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { AlertIntegration, type IntegrationType } from '../alert-integration.entity.js';
import {
  integrationBox,
  newIntegrationIdentifier,
  newIntegrationKey,
} from '../integration-keys.js';
import type { CreateIntegrationDto } from './dto/create-integration.dto.js';
import { ExternalPaging } from './external-paging.service.js';
import {
  columnsOf,
  givenAttributes,
  type IntegrationAttributes,
} from './integration-attributes.js';
import { integrationEntry } from './integration-audit.js';
import { IntegrationTransactions } from './integration-transactions.service.js';
import { storedType, wireType } from './integration-types.js';

type NewIntegration = Partial<IntegrationAttributes> &
  Pick<IntegrationAttributes, 'name' | 'active'> & { projectId: number; type: IntegrationType };

/** Makes integrations, with a key of their own where they have a webhook. */
@Injectable()
export class IntegrationCreation {
  constructor(
    private readonly transactions: IntegrationTransactions,
    private readonly settings: InstanceSettings,
    private readonly paging: ExternalPaging,
    private readonly audit: AuditTrail,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Answers the id of the new integration. Throws 400 with messages per attribute, 400 when the
   * project has as many as it may have, and as `IntegrationTransactions.run`.
   */
  create(projectId: number, dto: CreateIntegrationDto, auth: AuthContext): Promise<number> {
    const type = storedType(dto.type ?? 'HTTP');
    const { name, active } = dto;
    const given = givenAttributes(type, { ...dto, api_url: dto.api_url ?? null });
    const wanted = { ...given, projectId, type, name, active };
    return this.transactions.run(projectId, (tx) => this.write(tx, wanted, auth));
  }

  private async write(
    tx: EntityManager,
    wanted: NewIntegration,
    auth: AuthContext,
  ): Promise<number> {
    const { projectId, type, active, apiUrl } = wanted;
    await this.assertRoom(tx, projectId);
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

  private async assertRoom(tx: EntityManager, projectId: number): Promise<void> {
    const limit = this.settings.values.alert_integrations_per_project;
    const count = await tx.countBy(AlertIntegration, { projectId });
    if (count < limit) return;
    throw new BadRequestError(`the project already has ${limit} alert integrations`);
  }

  private webhookOf(type: IntegrationType): Pick<AlertIntegration, 'identifier' | 'sealedToken'> {
    if (type === 'external_paging') return { identifier: null, sealedToken: null };
    const sealedToken = integrationBox(this.config).seal(newIntegrationKey());
    return { identifier: newIntegrationIdentifier(), sealedToken };
  }
}
