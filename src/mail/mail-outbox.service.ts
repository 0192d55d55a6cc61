import { InjectQueue } from '@nestjs/bull';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Queue } from 'bull';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { QUEUES } from '../core/queue/queues.js';
import type { Letter, Mail } from './mail.js';
import { MAIL_JOB, mailBox } from './mail-box.js';
import { isMailAddress, oneLine } from './mail-text.js';
import { OutgoingMail } from './outgoing-mail.entity.js';

/** Takes mails in the transaction that gives the reason for them; a worker sends them. */
@Injectable()
export class MailOutbox {
  private readonly logger = new Logger(MailOutbox.name);

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
    this.queue.add(MAIL_JOB, {}).catch((error: unknown) => {
      this.logger.warn(`A mail waits for the worker to look: ${String(error)}`);
    });
  }
}
