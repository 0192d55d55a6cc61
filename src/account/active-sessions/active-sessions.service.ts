import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditTrail } from '../../core/audit/audit.service.js';
import { NotFoundError } from '../../core/errors.js';
import type { ListedSession } from '../../auth/sessions/session-row.js';
import { Sessions } from '../../auth/sessions/sessions.service.js';
import type { SignedInContext } from '../signed-in.js';

/** The devices on which somebody is signed in; ending a session is told by the audit trail. */
@Injectable()
export class ActiveSessions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly audit: AuditTrail,
  ) {}

  /** Living sessions of the user, the one that was used last first. */
  list(userId: number): Promise<ListedSession[]> {
    return this.sessions.list(userId);
  }

  /** Ends one of the asker's own sessions. Throws 404 for any other. */
  async end(id: number, auth: SignedInContext): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const isEnded = await this.sessions.end(id, auth.viewer.id, tx);
      if (!isEnded) throw new NotFoundError('Session');
      await this.audit.record(tx, auth, {
        action: 'session_ended',
        targetType: 'User',
        targetId: auth.viewer.id,
        details: { session_id: id },
      });
    });
  }

  /** Ends all of the asker's sessions but the one that asks; answers how many those were. */
  endOthers(auth: SignedInContext): Promise<number> {
    return this.dataSource.transaction(async (tx) => {
      const count = await this.sessions.endOthers(auth.viewer.id, auth.session?.id ?? 0, tx);
      if (count === 0) return 0;
      await this.audit.record(tx, auth, {
        action: 'other_sessions_ended',
        targetType: 'User',
        targetId: auth.viewer.id,
        details: { count },
      });
      return count;
    });
  }
}
