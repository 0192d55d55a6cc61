import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { JobQueue } from '../durable-work/job-queue.service.js';
import { QUEUES } from '../durable-work/queues.js';
import type { SecretBox } from '../settings/secret-box.js';
import type { EmailContent, Mail } from './mail.js';
import { mailCipher } from './mail-cipher.js';
import { isMailAddress, oneLine } from './mail-text.js';
import { OutgoingMailsRepository } from './outgoing-mails.repository.js';

/** Takes mails in the transaction that gives the reason for them; a worker sends them. */
@Injectable()
export class MailOutbox {
  private readonly box: SecretBox;

  constructor(
    private readonly jobs: JobQueue,
    private readonly outgoing: OutgoingMailsRepository,
    @Inject(CONFIG) config: Config,
  ) {
    this.box = mailCipher(config);
  }

  /**
   * Keeps a mail to be sent, its content encrypted; the commit wakes the worker. Throws when `to`
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
    this.jobs.notifyAfterCommit(tx, QUEUES.mails);
  }

  private seal({ to: _to, kind: _kind, ...content }: Mail): string {
    const email: EmailContent = { ...content, subject: oneLine(content.subject) };
    return this.box.seal(JSON.stringify(email));
  }
}

function addressOf(to: string): string {
  if (!isMailAddress(to)) throw new TypeError('A mail was to be sent to what is no address');
  return to;
}
