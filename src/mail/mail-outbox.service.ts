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
import { MAIL_JOB, mailBox } from './mail-box.js';
import { isMailAddress, oneLine } from './mail-text.js';

const INSERT_SQL = `
  INSERT INTO outgoing_mails (recipient, kind, sealed_content)
  SELECT recipient, kind, content FROM unnest($1::text[], $2::text[], $3::text[])
    WITH ORDINALITY AS m (recipient, kind, content, position)
  ORDER BY position`;

/** Takes mails in the transaction that gives the reason for them; a worker sends them. */
@Injectable()
export class MailOutbox implements OnModuleDestroy {
  private readonly wakeUp: WakeUp;
  private readonly box: SecretBox;

  constructor(@InjectQueue(QUEUES.mails) queue: Queue, @Inject(CONFIG) config: Config) {
    this.box = mailBox(config);
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
    await tx.query(INSERT_SQL, [
      mails.map(({ to }) => addressOf(to)),
      mails.map(({ kind }) => kind),
      mails.map((mail) => this.seal(mail)),
    ]);
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
