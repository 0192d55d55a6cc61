import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import type { SecretBox } from '../core/settings/secret-box.js';
import type { Letter } from './mail.js';
import { mailBox } from './mail-box.js';
import { MailClaims, type ClaimedMail } from './mail-claims.service.js';
import { MailTransport } from './mail-transport.service.js';

/** Seconds before the next attempt, after the first, second, … one; then the mail has failed. */
const PAUSES_SECONDS = [15, 60, 300, 900, 3_600, 7_200, 14_400];

/** How often, and how long, it is tried to note that a mail is sent: well within a claim's lease. */
const NOTE_AGAIN_MS = 1_000;
const NOTING_MS = 120_000;

/** Sends the mails that are due. */
@Injectable()
export class MailDelivery {
  private readonly logger = new Logger(MailDelivery.name);
  private readonly box: SecretBox;

  constructor(
    private readonly claims: MailClaims,
    private readonly transport: MailTransport,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.box = mailBox(config);
  }

  /** Goes on until no mail is due, or `isStopping` says so. One that fails stops no other. */
  async sendDue(isStopping: () => boolean): Promise<void> {
    while (!isStopping()) {
      const mails = await this.claims.claim();
      if (mails.length === 0) return;
      await Promise.all(mails.map((mail) => this.deliver(mail, isStopping)));
    }
  }

  private async deliver(mail: ClaimedMail, isStopping: () => boolean): Promise<void> {
    const content = this.box.open(mail.sealedContent);
    if (content === null) {
      await this.giveUp(mail, 'It cannot be read with this SECRET_KEY');
      return;
    }
    try {
      await this.transport.send({
        ...(JSON.parse(content) as Letter),
        to: mail.recipient,
        messageId: this.messageId(mail),
        date: mail.createdAt,
      });
    } catch (error) {
      await this.refused(mail, error);
      return;
    }
    await this.noteSent(mail, isStopping);
  }

  /** Its reader would get the mail again if the database, being away, did not learn of it later. */
  private async noteSent(mail: ClaimedMail, isStopping: () => boolean): Promise<void> {
    const deadline = Date.now() + NOTING_MS;
    for (;;) {
      try {
        await this.claims.sent(mail);
        return;
      } catch (error) {
        if (isStopping() || Date.now() >= deadline) throw error;
        this.logger.warn(`That mail ${mail.id} is sent has to be noted later: ${String(error)}`);
        await delay(NOTE_AGAIN_MS);
      }
    }
  }

  private async refused(mail: ClaimedMail, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    const pause = PAUSES_SECONDS[mail.attempts - 1];
    if (pause === undefined || isPermanent(error)) {
      await this.giveUp(mail, reason);
      return;
    }
    this.logger.warn(`Mail ${mail.id} is tried again in ${pause} s: ${reason}`);
    await this.claims.retry(mail, pause, reason);
  }

  private async giveUp(mail: ClaimedMail, reason: string): Promise<void> {
    this.logger.error(`Mail ${mail.id} (${mail.kind}) was not sent: ${reason}`);
    await this.claims.failed(mail, reason);
  }

  /** The same for every attempt: who gets it twice sees it once. */
  private messageId({ id, createdAt }: ClaimedMail): string {
    const { hostname } = new URL(this.config.baseUrl);
    return `<mail-${id}.${createdAt.getTime()}@${hostname}>`;
  }
}

/** The server says that it will never take this mail (RFC 5321 §4.2.1); not so for wrong logins. */
function isPermanent(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  return (responseCode ?? 0) >= 500 && code !== 'EAUTH';
}
