import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { JobQueue } from '../durable-work/job-queue.service.js';
import { QUEUES } from '../durable-work/queues.js';
import { TextCipher } from '../text-cipher.js';
import { isMailAddress, oneLine, type EmailContent, type Mail } from './mail.js';
import { OutgoingMailsRepository } from './outgoing-mails.repository.js';

/** Queues emails in the transaction of their cause; a worker sends them. */
@Injectable()
export class MailOutbox {
  private readonly cipher: TextCipher;

  constructor(
    private readonly jobs: JobQueue,
    private readonly outgoing: OutgoingMailsRepository,
    @Inject(CONFIG) config: Config,
  ) {
    this.cipher = mailCipher(config);
  }

  /**
   * Queues an email with encrypted content; the commit wakes the worker. Throws if `to` is not an
   * address, which the caller has validated.
   */
  enqueue(tx: EntityManager, mail: Mail): Promise<void> {
    return this.enqueueAll(tx, [mail]);
  }

  /** Queues emails, as `enqueue`, by one statement. */
  async enqueueAll(tx: EntityManager, mails: readonly Mail[]): Promise<void> {
    if (mails.length === 0) return;
    const rows = mails.map((mail) => ({
      recipient: addressOf(mail.to),
      kind: mail.kind,
      encryptedContent: this.encrypt(mail),
    }));
    await this.outgoing.enqueue(tx, rows);
    this.jobs.notifyAfterCommit(tx, QUEUES.mails);
  }

  private encrypt({ to: _to, kind: _kind, ...content }: Mail): string {
    const email: EmailContent = { ...content, subject: oneLine(content.subject) };
    return this.cipher.encrypt(JSON.stringify(email));
  }
}

function addressOf(to: string): string {
  if (!isMailAddress(to)) throw new TypeError('The recipient is not an email address');
  return to;
}

/** Encrypts queued contents, which can include links that open an account. */
export function mailCipher(config: Pick<Config, 'secretKey'>): TextCipher {
  return new TextCipher(config.secretKey, 'outgoing mails');
}
