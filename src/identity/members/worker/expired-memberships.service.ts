import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Activity } from '../../../core/activity/activity.service.js';
import {
  AuditLog,
  SYSTEM_ACTOR,
  type AuditEntry,
  changesBetween,
} from '../../../core/audit/audit.service.js';
import { inBatches, RunEvery, type IsStopping } from '../../../core/durable-work/periodic-task.js';
import { membershipEvents, trailOfSource } from '../member-source.js';
import { MembersRepository, type DeletedMembership } from '../members.repository.js';
import { EXPIRED_BATCH } from '../sql/members.js';

/**
 * Removes expired memberships (API doc, members), which give no rights by then. Those of projects
 * leave an event, all of them an entry in the audit log.
 */
@Injectable()
export class ExpiredMemberships {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly activity: Activity,
    private readonly members: MembersRepository,
  ) {}

  /** Deletes all that have expired; returns their number. */
  @RunEvery({
    ms: 3_600_000,
    countMessage: 'Removed expired memberships',
    failureMessage: 'Expired memberships stay',
  })
  run(isStopping: IsStopping): Promise<number> {
    return inBatches(EXPIRED_BATCH, isStopping, () =>
      this.dataSource.transaction((tx) => this.removeSome(tx)),
    );
  }

  private async removeSome(tx: EntityManager): Promise<number> {
    const deleted = await this.members.deleteExpired(tx);
    const events = deleted.flatMap(({ userId, source }) =>
      membershipEvents('expired', userId, [source]),
    );
    await this.activity.record(tx, events);
    await this.audit.recordAll(tx, SYSTEM_ACTOR, deleted.map(entryOf));
    return deleted.length;
  }
}

function entryOf({ userId, source, accessLevel, expiresAt }: DeletedMembership): AuditEntry {
  const nothing = { accessLevel: null, expiresAt: null };
  return {
    action: 'member_removed',
    targetType: 'User',
    targetId: userId,
    entity: trailOfSource(source),
    details: { ...changesBetween({ accessLevel, expiresAt }, nothing), reason: 'expired' },
  };
}
