import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SpamLog, type SpammableKind } from './spam-log.entity.js';
import type { SpamSender, Submission } from './submission.js';

const REDEEMABLE_MINUTES = 15;
const KEPT_DAYS = 90;
const MAX_TEXT = 255;

const REDEEMABLE = `id = $1 AND user_id = $2 AND kind = $3 AND redeemed_at IS NULL
  AND created_at > now() - interval '${REDEEMABLE_MINUTES} minutes'`;

/** The log that a user wants to redeem, for something of the same kind. */
export interface SpamLogClaim {
  id: number;
  userId: number;
  kind: SpammableKind;
}

export interface Suspicion {
  checker: 'local' | 'akismet';
  reason: string;
}

/** What was taken for spam, kept for administrators and redeemed by a solved CAPTCHA. */
@Injectable()
export class SpamLogs {
  constructor(private readonly dataSource: DataSource) {}

  /** Answers the new log's id; the user's logs of more than 90 days ago go. */
  async add(submission: Submission, sender: SpamSender, suspicion: Suspicion): Promise<number> {
    const userId = sender.viewer.id;
    await this.dataSource.query(
      `DELETE FROM spam_logs WHERE user_id = $1 AND created_at < now() - interval '${KEPT_DAYS} days'`,
      [userId],
    );
    const inserted = await this.dataSource.manager.insert(SpamLog, {
      ...suspicion,
      userId,
      kind: submission.kind,
      title: (submission.title || submission.prose).slice(0, MAX_TEXT),
      ipAddress: sender.ip,
      userAgent: sender.userAgent.slice(0, MAX_TEXT),
    });
    return (inserted.identifiers[0] as { id: number }).id;
  }

  /** Whether the log is this user's, of that kind, recent and not yet redeemed. */
  async isRedeemable({ id, userId, kind }: SpamLogClaim): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      `SELECT 1 FROM spam_logs WHERE ${REDEEMABLE}`,
      [id, userId, kind],
    );
    return rows.length > 0;
  }

  /** True for exactly one of all who ask for the same log, at whatever time. */
  async redeem({ id, userId, kind }: SpamLogClaim): Promise<boolean> {
    const rows = await this.dataSource.query<[unknown[], number]>(
      `UPDATE spam_logs SET redeemed_at = now() WHERE ${REDEEMABLE} RETURNING id`,
      [id, userId, kind],
    );
    return rows[1] === 1;
  }
}
