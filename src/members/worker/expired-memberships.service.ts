import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Activity } from '../../activity/activity.service.js';
import { AuditTrail, SYSTEM_ACTOR, type AuditEntry } from '../../core/audit/audit.service.js';
import { changesBetween } from '../../core/audit/changes.js';
import { trailOfSource } from '../member-source.js';
import { MembersRepository, type DeletedMembership } from '../members.repository.js';
import { membershipEvents } from '../membership-events.js';
import { EXPIRED_BATCH } from '../sql/members.js';

/**
 * Removes expired memberships (API doc, members), which give no rights by then. Those of projects
 * leave an event, all of them an entry in the audit log.
 */
@Injectable()
export class ExpiredMemberships {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
    private readonly activity: Activity,
    private readonly members: MembersRepository,
  ) {}

  /** Deletes all that have expired; returns their number. */
  async run(isStopping: () => boolean): Promise<number> {
    let [count, removed] = [0, EXPIRED_BATCH];
    while (removed === EXPIRED_BATCH && !isStopping()) {
      removed = await this.dataSource.transaction((tx) => this.removeSome(tx));
      count += removed;
    }
    return count;
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
