import { InjectQueue } from '@nestjs/bull';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Queue } from 'bull';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { QUEUES } from '../core/queue/queues.js';
import { WakeUp } from '../core/queue/wake-up.js';
import type { SecretBox } from '../core/settings/secret-box.js';
import type { Letter, Mail } from './mail.js';
import { MAIL_JOB, mailCipher } from './mail-cipher.js';
import { isMailAddress, oneLine } from './mail-text.js';
import { OutgoingMailsRepository } from './outgoing-mails.repository.js';

/** Takes mails in the transaction that gives the reason for them; a worker sends them. */
@Injectable()
export class MailOutbox implements OnModuleDestroy {
  private readonly wakeUp: WakeUp;
  private readonly box: SecretBox;

  constructor(
    @InjectQueue(QUEUES.mails) queue: Queue,
    private readonly outgoing: OutgoingMailsRepository,
    @Inject(CONFIG) config: Config,
  ) {
    this.box = mailCipher(config);
    this.wakeUp = new WakeUp(queue, MAIL_JOB);
  }

  /**
   * Keeps a mail to be sent, its content encrypted; call `wake` after the commit. Throws when `to`
   * is no address: who gave it has been told so before.
   */
  enqueue(tx: EntityManager, mail: Mail): Promise<void> {
    return this.enqueueAll(tx, [mail]);
  }

  /** Keeps some mails, as `enqueue`, by one statement. */
  async enqueueAll(tx: EntityManager, mails: readonly Mail[]): Promise<void> {
    if (mails.length === 0) return;
    const rows = mails.map((mail) => ({
      recipient: addressOf(mail.to),
      kind: mail.kind,
      sealedContent: this.seal(mail),
    }));
    await this.outgoing.enqueue(tx, rows);
  }

  /** Not awaited by requests: while Redis is away nothing is lost, the worker looks by itself. */
  wake(): void {
    this.wakeUp.now();
  }

  onModuleDestroy(): Promise<void> {
    return this.wakeUp.settle();
  }

  private seal({ to: _to, kind: _kind, ...content }: Mail): string {
    const letter: Letter = { ...content, subject: oneLine(content.subject) };
    return this.box.seal(JSON.stringify(letter));
  }
}

function addressOf(to: string): string {
  if (!isMailAddress(to)) throw new TypeError('A mail was to be sent to what is no address');
  return to;
}
