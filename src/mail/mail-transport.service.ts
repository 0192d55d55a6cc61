import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import type { OutgoingLetter } from './mail.js';
import { MailDeliveryError } from './mail-delivery-error.js';
import { mailMessage, type MailMessage } from './mail-message.js';
import { writeMime } from './mime-writer.js';
import { smtpPool, type SmtpPool } from './smtp-pool.js';

/** No attempt takes longer: the worker that has a mail for longer has it no more. */
export const SENDING_SECONDS = 120;

const NO_ACCESS = { disableFileAccess: true, disableUrlAccess: true } as const;
const ASCII = /^[\x21-\x7e]+$/;

/** Hands mails over to the SMTP server; without one it writes them to the log. */
@Injectable()
export class MailTransport implements OnModuleDestroy {
  private readonly logger = new Logger(MailTransport.name);
  private readonly smtp: SmtpPool | null;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.smtp = config.smtpUrl === undefined ? null : smtpPool(config.smtpUrl, config);
  }

  /** True if a mail server is configured. */
  get isConnected(): boolean {
    return this.smtp !== null;
  }

  /** Answers what the server said when it took the mail; throws MailDeliveryError. */
  async send(mail: OutgoingLetter): Promise<string> {
    if (this.smtp === null) {
      const { to, subject, text } = mail;
      this.logger.log(`SMTP_URL is not set. Mail to ${to}: ${subject}\n\n${text}`);
      return '';
    }
    const progress = { wasConnected: false };
    const abort = new AbortController();
    const limit = setTimeout(() => abort.abort(), SENDING_SECONDS * 1_000);
    try {
      const content = contentOf(mailMessage(mail, this.config.mailFrom));
      const order = { ...content, ...NO_ACCESS, progress, signal: abort.signal };
      const { response } = await this.smtp.sendMail(order);
      return response;
    } catch (error) {
      throw new MailDeliveryError(error, progress.wasConnected);
    } finally {
      clearTimeout(limit);
    }
  }

  onModuleDestroy(): void {
    this.smtp?.close();
  }
}

type Envelope = Record<'from' | 'to', string>;

/** Addresses with other letters than English ones are left to nodemailer (RFC 6531, RFC 5891). */
function contentOf(message: MailMessage): MailMessage | { envelope: Envelope; raw: string } {
  const envelope = { from: message.from.address, to: message.to.address };
  const isPlain = ASCII.test(envelope.from) && ASCII.test(envelope.to);
  return isPlain ? { envelope, raw: writeMime(message) } : message;
}
