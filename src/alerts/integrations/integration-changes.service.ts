import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { AuditTrail } from '../../core/audit/audit.service.js';
import { changesBetween } from '../../core/audit/changes.js';
import { BadRequestError, NotFoundError, ValidationFailedError } from '../../core/errors.js';
import type { Preconditions } from '../../core/preconditions.js';
import { AlertIntegration } from '../alert-integration.entity.js';
import { alertsLockOf } from '../ingest/alerts-lock.js';
import { integrationBox, newIntegrationKey } from '../integration-keys.js';
import type { UpdateIntegrationDto } from './dto/update-integration.dto.js';
import { ExternalPaging } from './external-paging.service.js';
import {
  auditedAttributes,
  columnsOf,
  givenAttributes,
  type IntegrationAttributes,
} from './integration-attributes.js';
import { integrationEntry } from './integration-audit.js';
import { IntegrationTransactions } from './integration-transactions.service.js';
import { wireType } from './integration-types.js';

/** An integration of a project, and what its change is tied to. */
export interface ChosenIntegration {
  projectId: number;
  id: number;
  preconditions: Preconditions;
}

/** Changes integrations, each with its entry in the audit trail; keys are never told there. */
@Injectable()
export class IntegrationChanges {
  constructor(
    private readonly transactions: IntegrationTransactions,
    private readonly paging: ExternalPaging,
    private readonly audit: AuditTrail,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Throws 404, 412, 400 with messages per attribute, and as `IntegrationTransactions.run`. */
  update(chosen: ChosenIntegration, dto: UpdateIntegrationDto, auth: AuthContext): Promise<void> {
    return this.transactions.run(chosen.projectId, async (tx) => {
      const before = await find(tx, chosen);
      if (dto.type != null && dto.type !== wireType(before.type)) {
        throw new ValidationFailedError({ type: ['cannot be changed'] });
      }
      const given = givenAttributes(before.type, dto);
      await this.write(tx, { before, given }, auth);
    });
  }

  /** Gives a new key; the old one is refused from then on. Throws 400 for external paging. */
  resetToken(
    { projectId, id }: Omit<ChosenIntegration, 'preconditions'>,
    auth: AuthContext,
  ): Promise<void> {
    return this.transactions.run(projectId, async (tx) => {
      const integration = await find(tx, { projectId, id });
      if (integration.identifier === null) {
        throw new BadRequestError('external paging integrations have no key');
      }
      const sealedToken = integrationBox(this.config).seal(newIntegrationKey());
      await tx.update(AlertIntegration, { id }, { sealedToken, updatedAt: () => 'now()' });
      await this.audit.record(tx, auth, integrationEntry(integration, 'token_reset'));
    });
  }

  /** Deletes an integration with its deliveries; alerts stay. Throws 404 and 412. */
  delete(chosen: ChosenIntegration, auth: AuthContext): Promise<void> {
    return this.transactions.run(chosen.projectId, async (tx) => {
      const integration = await find(tx, chosen);
      // Alerts that come in just now hold theirs and then look for the integration.
      await tx.query('SELECT pg_advisory_xact_lock($1)', [alertsLockOf(chosen.projectId)]);
      await tx.delete(AlertIntegration, { id: chosen.id });
      await this.audit.record(tx, auth, {
        ...integrationEntry(integration, 'deleted'),
        details: { type: wireType(integration.type), active: integration.active },
      });
    });
  }

  /** Nothing at all happens to an integration that is as it is wanted. */
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

/** The integration as it is by now; the project's lock keeps it so. */
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
