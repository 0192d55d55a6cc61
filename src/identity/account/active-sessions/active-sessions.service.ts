import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditLog } from '../../../core/audit/audit.service.js';
import { NotFoundError } from '../../../core/errors.js';
import { SessionsRepository } from '../../auth/sessions/sessions.repository.js';
import type { SignedInContext } from '../signed-in.js';

/** Browser sessions of a user. Ending a session writes an audit event. */
@Injectable()
export class ActiveSessions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsRepository,
    private readonly audit: AuditLog,
  ) {}

  /** Ends one of the viewer's own sessions. Throws 404 for any other. */
  async end(id: number, auth: SignedInContext): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const isEnded = await this.sessions.end(tx, id, auth.viewer.id);
      if (!isEnded) throw new NotFoundError('Session');
      await this.audit.record(tx, auth, {
        action: 'session_ended',
        targetType: 'User',
        targetId: auth.viewer.id,
        details: { session_id: id },
      });
    });
  }

  /** Ends all of the viewer's sessions but the current one and returns their number. */
  endOthers(auth: SignedInContext): Promise<number> {
    return this.dataSource.transaction(async (tx) => {
      const count = await this.sessions.endOthers(tx, auth.viewer.id, auth.session?.id ?? 0);
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
