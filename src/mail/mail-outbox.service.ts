import { setTimeout as delay } from 'node:timers/promises';
import { InjectQueue } from '@nestjs/bull';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { Queue } from 'bull';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { QUEUES } from '../core/queue/queues.js';
import type { Letter, Mail } from './mail.js';
import { MAIL_JOB, mailBox } from './mail-box.js';
import { isMailAddress, oneLine } from './mail-text.js';
import { OutgoingMail } from './outgoing-mail.entity.js';

/** How long a process that ends waits for a hint that is on its way. */
const LAST_WAIT_MS = 1_000;

/** Takes mails in the transaction that gives the reason for them; a worker sends them. */
@Injectable()
export class MailOutbox implements OnModuleDestroy {
  private readonly logger = new Logger(MailOutbox.name);
  private waking: Promise<void> | null = null;
  private isWanted = false;

  constructor(
    @InjectQueue(QUEUES.mails) private readonly queue: Queue,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Keeps a mail to be sent, its content encrypted; call `wake` after the commit. Throws when `to`
   * is no address: who gave it has been told so before.
   */
  async enqueue(tx: EntityManager, { to, kind, subject, text, html }: Mail): Promise<void> {
    if (!isMailAddress(to)) throw new TypeError('A mail was to be sent to what is no address');
    const letter: Letter = { subject: oneLine(subject), text, html };
    const sealedContent = mailBox(this.config).seal(JSON.stringify(letter));
    await tx.insert(OutgoingMail, { recipient: to, kind, sealedContent });
  }

  /** Not awaited by requests: while Redis is away nothing is lost, the worker looks by itself. */
  wake(): void {
    this.isWanted = true;
    this.waking ??= this.hint().finally(() => {
      this.waking = null;
    });
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.race([this.waking, delay(LAST_WAIT_MS, undefined, { ref: false })]);
  }

  private async hint(): Promise<void> {
    try {
      while (this.isWanted) {
        this.isWanted = false;
        await this.queue.add(MAIL_JOB, {});
      }
    } catch (error) {
      this.logger.warn(`A mail waits for the worker to look: ${String(error)}`);
    }
  }
}
