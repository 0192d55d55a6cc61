import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { DkimConfig, MailConfig } from '../../config/mail.js';
import { MailDeliveryError } from './mail-delivery-error.js';
import { mailMessage, type MailMessage } from './mail-message.js';
import type { OutgoingEmail } from './mail.js';
import { writeMime } from './mime-writer.js';

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
  async send(mail: OutgoingEmail): Promise<string> {
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

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;

/** Each has to be covered, or mail programs do not offer to unsubscribe (RFC 8058 §4). */
const SIGNED_HEADERS = [
  ...['From', 'Sender', 'Reply-To', 'To', 'Cc', 'Subject', 'Date', 'Message-ID'],
  ...['MIME-Version', 'Content-Type', 'Content-Transfer-Encoding', 'In-Reply-To', 'References'],
  ...['List-Id', 'List-Unsubscribe', 'List-Unsubscribe-Post', 'Auto-Submitted'],
].join(':');

/** Connections to the server, kept open; a mail's `progress` learns when one is ready for it. */
type SmtpPool = ReturnType<typeof smtpPool>;

/** Opens no connection before the first mail. */
function smtpPool(url: string, config: Pick<MailConfig, 'smtpConnections' | 'dkim'>) {
  const pool = createTransport({
    url,
    pool: true,
    maxConnections: config.smtpConnections,
    maxMessages: Number.POSITIVE_INFINITY,
    // Only what was not begun is sent over another connection.
    maxRequeues: 1,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    ...(config.dkim !== undefined && { dkim: dkimOptions(config.dkim) }),
  });
  pool.use('stream', (mail, done) => {
    const { progress } = mail.data as { progress?: { wasConnected: boolean } };
    // The content is asked for when the server has greeted us and let us in.
    mail.message?.processFunc((content) => {
      if (progress !== undefined) progress.wasConnected = true;
      return content;
    });
    done();
  });
  return pool;
}

function dkimOptions({ domain, selector, privateKey }: DkimConfig) {
  return {
    domainName: domain,
    keySelector: selector,
    privateKey,
    headerFieldNames: SIGNED_HEADERS,
  };
}
