import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { Sql } from '../core/sql/sql.service.js';
import type { OutgoingLetter } from './mail.js';
import { MailClaims, type ClaimedMail } from './mail-claims.service.js';
import type { MailNotTaken } from './mail-not-taken.js';
import { ADDRESS_REFUSED_SQL } from './mail-statements.js';

/** Seconds before the next attempt, after the first, second, … one; then the mail has failed. */
const PAUSES_SECONDS = [60, 300, 1_800, 7_200, 21_600];
/** Up to so much longer: not all that failed together come together again. */
const JITTER = 0.2;

/** Notes what becomes of mails that the server, or we, could not do anything with. */
@Injectable()
export class MailRefusals {
  private readonly logger = new Logger(MailRefusals.name);

  constructor(
    private readonly claims: MailClaims,
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** The server said so of this mail, or was lost with it. */
  async notTaken(mail: ClaimedMail, { to }: OutgoingLetter, error: MailNotTaken): Promise<void> {
    const isForGood = error.verdict === 'never';
    if (error.isAboutAddress) {
      const counts = isForGood ? [1, 0] : [0, 1];
      await this.sql.rows(ADDRESS_REFUSED_SQL, [to, ...counts, this.clock.now()]);
    }
    if (isForGood) await this.giveUp(mail, error.message);
    else await this.putOff(mail, error.message);
  }

  /** To be tried again later, each time later than before; given up after the last time. */
  async putOff(mail: ClaimedMail, reason: string): Promise<void> {
    const pause = PAUSES_SECONDS[mail.attempts - 1];
    if (pause === undefined) {
      await this.giveUp(mail, reason);
      return;
    }
    const seconds = Math.round(pause * (1 + Math.random() * JITTER));
    this.logger.warn(`Mail ${mail.id} is tried again in ${seconds} s: ${reason}`);
    await this.claims.retry(mail, seconds, reason);
  }

  /** Not to be tried again. */
  async giveUp(mail: ClaimedMail, reason: string): Promise<void> {
    this.logger.error(`Mail ${mail.id} (${mail.kind}) was not sent: ${reason}`);
    await this.claims.failed(mail, reason);
  }
}
