import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuthContext } from '../../core/access/auth-context.js';
import { AuditLog, type AuditEntry } from '../../core/audit/audit.service.js';
import { ValidationFailedError } from '../../core/errors.js';
import type { IntegrationType } from '../alert-integration.entity.js';
import { AlertIntegrationsRepository } from '../alert-integrations.repository.js';

interface Wanted {
  projectId: number;
  type: IntegrationType;
}

/**
 * A project has its alerts either here or in an external paging tool: while the latter is on, all
 * other integrations are off. Callers hold the lock of the project.
 */
@Injectable()
export class ExternalPaging {
  constructor(
    private readonly integrations: AlertIntegrationsRepository,
    private readonly audit: AuditLog,
  ) {}

  /** 400 for a second external paging integration of a project. */
  async assertOnlyOne(tx: EntityManager, { projectId, type }: Wanted): Promise<void> {
    if (type !== 'external_paging') return;
    if (!(await this.integrations.hasExternalPaging(tx, projectId))) return;
    throw new ValidationFailedError({
      type: ['Multiple integrations of a single type are not supported for this project'],
    });
  }

  /**
   * Called before an integration is turned on: external paging turns all others off, each with an
   * entry in the audit log; while it is on, others are refused with 400.
   */
  async makeWay(tx: EntityManager, wanted: Wanted, auth: AuthContext): Promise<void> {
    if (wanted.type === 'external_paging') await this.turnOthersOff(tx, wanted, auth);
    else await this.assertNoneActive(tx, wanted);
  }

  private async turnOthersOff(
    tx: EntityManager,
    { projectId }: Wanted,
    auth: AuthContext,
  ): Promise<void> {
    const rows = await this.integrations.deactivateWebhooks(tx, projectId);
    const details = { active: { from: true, to: false } };
    const entries = rows.toSorted(byId).map((row) => ({
      ...integrationEntry({ ...row, projectId }, 'updated'),
      details,
    }));
    await this.audit.recordAll(tx, auth, entries);
  }

  private async assertNoneActive(tx: EntityManager, { projectId }: Wanted): Promise<void> {
    if (!(await this.integrations.hasActiveExternalPaging(tx, projectId))) return;
    throw new ValidationFailedError({
      active: ['cannot be switched on while an external paging integration is active'],
    });
  }
}

/** Returns the audit event of the project for a change of an integration, without details. */
export function integrationEntry(
  { id, projectId, name }: { id: number; projectId: number; name: string },
  verb: 'created' | 'updated' | 'deleted' | 'token_reset',
): AuditEntry {
  return {
    action: `alert_integration_${verb}`,
    targetType: 'AlertIntegration',
    targetId: id,
    targetName: name,
    entity: { type: 'Project', id: projectId },
  };
}

/** Orders by id; an UPDATE returns rows in no certain order. */
function byId(one: { id: number }, other: { id: number }): number {
  return one.id - other.id;
}
