import { createTransport } from 'nodemailer';
import type { DkimConfig, MailConfig } from '../config/mail.js';

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;

/** Each has to be covered, or mail programs do not offer to unsubscribe (RFC 8058 §4). */
const SIGNED_HEADERS = [
  ...['From', 'Sender', 'Reply-To', 'To', 'Cc', 'Subject', 'Date', 'Message-ID'],
  ...['MIME-Version', 'Content-Type', 'Content-Transfer-Encoding', 'In-Reply-To', 'References'],
  ...['List-Id', 'List-Unsubscribe', 'List-Unsubscribe-Post', 'Auto-Submitted'],
].join(':');

/** Connections to the server, kept open; a mail's `progress` learns when one is ready for it. */
export type SmtpPool = ReturnType<typeof smtpPool>;

/** Opens no connection before the first mail. */
export function smtpPool(url: string, config: Pick<MailConfig, 'smtpConnections' | 'dkim'>) {
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
