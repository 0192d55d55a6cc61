import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import type { OutgoingLetter } from './mail.js';

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
const CONNECTIONS = 2;

/** Hands mails over to the SMTP server; without one it writes them to the log. */
@Injectable()
export class MailTransport implements OnModuleDestroy {
  private readonly logger = new Logger(MailTransport.name);
  private readonly smtp: Transporter | null;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.smtp = config.smtpUrl === undefined ? null : smtpTransport(config.smtpUrl);
  }

  /** Whether there is a server to hand mails to. */
  get isConnected(): boolean {
    return this.smtp !== null;
  }

  /** Resolves when the server has taken the mail; throws what it, or the way to it, said. */
  async send({ to, ...letter }: OutgoingLetter): Promise<void> {
    if (this.smtp === null) {
      this.logger.log(`SMTP_URL is not set. Mail to ${to}: ${letter.subject}\n\n${letter.text}`);
      return;
    }
    await this.smtp.sendMail({
      ...letter,
      from: this.config.mailFrom,
      // As an object it is one address, whatever it looks like.
      to: { name: '', address: to },
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  onModuleDestroy(): void {
    this.smtp?.close();
  }
}

function smtpTransport(url: string): Transporter {
  return createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
  });
}
