import { InjectQueue } from '@nestjs/bull';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Queue } from 'bull';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { QUEUES } from '../core/queue/queues.js';
import { WakeUp } from '../core/queue/wake-up.js';
import type { Letter, Mail } from './mail.js';
import { MAIL_JOB, mailBox } from './mail-box.js';
import { isMailAddress, oneLine } from './mail-text.js';
import { OutgoingMail } from './outgoing-mail.entity.js';

/** Takes mails in the transaction that gives the reason for them; a worker sends them. */
@Injectable()
export class MailOutbox implements OnModuleDestroy {
  private readonly wakeUp: WakeUp;

  constructor(
    @InjectQueue(QUEUES.mails) queue: Queue,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.wakeUp = new WakeUp(queue, MAIL_JOB);
  }

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
    this.wakeUp.now();
  }

  onModuleDestroy(): Promise<void> {
    return this.wakeUp.settle();
  }
}
