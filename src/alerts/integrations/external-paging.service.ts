import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuthContext } from '../../core/access/auth-context.js';
import { AuditTrail } from '../../core/audit/audit.service.js';
import { ValidationFailedError } from '../../core/errors.js';
import type { IntegrationType } from '../alert-integration.entity.js';
import { integrationEntry } from './integration-audit.js';

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
  constructor(private readonly audit: AuditTrail) {}

  /** 400 for a second external paging integration of a project. */
  async assertOnlyOne(tx: EntityManager, { projectId, type }: Wanted): Promise<void> {
    if (type !== 'external_paging') return;
    const rows: unknown[] = await tx.query(
      `SELECT 1 FROM alert_integrations WHERE project_id = $1 AND type = 'external_paging'`,
      [projectId],
    );
    if (rows.length === 0) return;
    throw new ValidationFailedError({
      type: ['Multiple integrations of a single type are not supported for this project'],
    });
  }

  /**
   * Called before an integration is turned on: external paging turns all others off, each with an
   * entry in the audit trail; while it is on, others are refused with 400.
   */
  async makeWay(tx: EntityManager, wanted: Wanted, auth: AuthContext): Promise<void> {
    if (wanted.type === 'external_paging') await this.turnOthersOff(tx, wanted, auth);
    else await assertNoneActive(tx, wanted);
  }

  private async turnOthersOff(
    tx: EntityManager,
    { projectId }: Wanted,
    auth: AuthContext,
  ): Promise<void> {
    const [rows] = await tx.query<[{ id: number; name: string }[], number]>(
      `UPDATE alert_integrations SET active = false, updated_at = now()
       WHERE project_id = $1 AND active AND type <> 'external_paging' RETURNING id, name`,
      [projectId],
    );
    const details = { active: { from: true, to: false } };
    const entries = rows.toSorted(byId).map((row) => ({
      ...integrationEntry({ ...row, projectId }, 'updated'),
      details,
    }));
    await this.audit.recordAll(tx, auth, entries);
  }
}

async function assertNoneActive(tx: EntityManager, { projectId }: Wanted): Promise<void> {
  const rows: unknown[] = await tx.query(
    `SELECT 1 FROM alert_integrations
     WHERE project_id = $1 AND type = 'external_paging' AND active`,
    [projectId],
  );
  if (rows.length === 0) return;
  throw new ValidationFailedError({
    active: ['cannot be switched on while an external paging integration is active'],
  });
}

/** Oldest first; an UPDATE answers in the order in which rows happen to lie. */
function byId(one: { id: number }, other: { id: number }): number {
  return one.id - other.id;
}
