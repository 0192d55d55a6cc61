import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { DkimConfig, MailConfig } from '../../config/services.js';
import type { OutgoingEmail } from './mail.js';
import { mailMessage, type MailMessage, writeMime } from './mime-writer.js';

/** Cause of a failed attempt: the connection to the server, or this email. */
type MailDisposition =
  /** The server is unreachable, busy or rejects the login. */
  | 'server away'
  /** Temporary (RFC 5321 §4.2.1), or the connection was lost during this email. */
  | 'later'
  /** Permanent. */
  | 'never';

interface Verdict {
  disposition: MailDisposition;
  /** The server rejected the recipient's address. */
  isAboutAddress: boolean;
}

/** Properties of nodemailer's errors. */
interface SmtpError {
  message?: string;
  code?: string;
  command?: string;
  responseCode?: number;
}

/** Rejected login (authentication required, too weak, unencrypted), which affects every email. */
const LOGIN_ANSWERS = new Set([421, 454, 530, 534, 535, 538]);
/** Wrong settings: the login, the name of the server, its certificate. */
const SETTINGS_CODES = new Set(['EAUTH', 'ENOAUTH', 'EDNS', 'ETLS', 'EPROXY']);
const LOST_CODES = new Set(['ESOCKET', 'ECONNECTION', 'ETIMEDOUT']);

/** A failed attempt; the message is the server's response or the connection error. */
export class MailDeliveryError extends Error {
  readonly disposition: MailDisposition;
  readonly isAboutAddress: boolean;

  /** `wasConnected`: the server was ready for the email. */
  constructor(cause: unknown, wasConnected: boolean) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    const { disposition, isAboutAddress } = judge(cause as SmtpError, wasConnected);
    this.disposition = disposition;
    this.isAboutAddress = isAboutAddress;
  }
}

function judge({ code = '', command, responseCode = 0 }: SmtpError, isOn: boolean): Verdict {
  const isAboutAddress = command === 'RCPT TO' && responseCode >= 400;
  if (LOGIN_ANSWERS.has(responseCode) || SETTINGS_CODES.has(code)) {
    return { disposition: 'server away', isAboutAddress: false };
  }
  if (!isOn && LOST_CODES.has(code)) return { disposition: 'server away', isAboutAddress: false };
  return { disposition: responseCode >= 500 ? 'never' : 'later', isAboutAddress };
}

/** Time limit of an attempt, shorter than the lease of an email. */
const SENDING_SECONDS = 120;

const NO_ACCESS = { disableFileAccess: true, disableUrlAccess: true } as const;
const ASCII = /^[\x21-\x7e]+$/;

/** Sends emails to the SMTP server, or logs them without one. */
@Injectable()
export class MailTransport implements OnModuleDestroy {
  private readonly logger = new Logger(MailTransport.name);
  private readonly smtp: SmtpPool | null;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.smtp = config.smtpUrl === undefined ? null : smtpPool(config.smtpUrl, config);
  }

  /** Returns the server's response; throws MailDeliveryError. */
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

/** Mail clients offer to unsubscribe only if these are signed (RFC 8058 §4). */
const SIGNED_HEADERS = [
  ...['From', 'Sender', 'Reply-To', 'To', 'Cc', 'Subject', 'Date', 'Message-ID'],
  ...['MIME-Version', 'Content-Type', 'Content-Transfer-Encoding', 'In-Reply-To', 'References'],
  ...['List-Id', 'List-Unsubscribe', 'List-Unsubscribe-Post', 'Auto-Submitted'],
].join(':');

/** Open connections to the server, which set the `progress` of an email once they are ready. */
type SmtpPool = ReturnType<typeof smtpPool>;

/** Opens no connection before the first mail. */
function smtpPool(url: string, config: Pick<MailConfig, 'smtpConnections' | 'dkim'>) {
  const pool = createTransport({
    url,
    pool: true,
    maxConnections: config.smtpConnections,
    maxMessages: Number.POSITIVE_INFINITY,
    // Only an email that was not begun is sent over another connection.
    maxRequeues: 1,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    ...(config.dkim !== undefined && { dkim: dkimOptions(config.dkim) }),
  });
  pool.use('stream', (mail, done) => {
    const { progress } = mail.data as { progress?: { wasConnected: boolean } };
    // The content is read after greeting and login.
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
