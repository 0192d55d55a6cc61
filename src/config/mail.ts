import { createPrivateKey } from 'node:crypto';
import type { EnvReader } from './env-reader.js';

/** Signs emails for a domain whose DNS holds the public key under the selector (RFC 6376). */
export interface DkimConfig {
  readonly domain: string;
  readonly selector: string;
  /** PEM. */
  readonly privateKey: string;
}

/** Email delivery configuration. */
export interface MailConfig {
  /** Without one emails go to the log. */
  readonly smtpUrl?: string;
  /** Connections of each worker; as many emails can come twice when one is killed. */
  readonly smtpConnections: number;
  readonly mailFrom: string;
  readonly dkim?: DkimConfig;
}

const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;
const SELECTOR = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i;

/** Reads SMTP_URL, SMTP_CONNECTIONS, MAIL_FROM and DKIM_…; noreply at our host is the sender. */
export function readMail(reader: EnvReader, baseUrl: string): MailConfig {
  const smtpUrl = reader.url('SMTP_URL', ['smtp:', 'smtps:'], reader.secret('SMTP_URL'));
  const mailFrom = reader.text('MAIL_FROM');
  if (mailFrom !== undefined && !/^[^\r\n@]*[^\s@]@[^\s@]+$/.test(mailFrom)) {
    reader.refuse('MAIL_FROM', 'must be an address such as Guildhall <noreply@example.com>');
  }
  return {
    ...(smtpUrl !== undefined && { smtpUrl }),
    smtpConnections: reader.integer('SMTP_CONNECTIONS', { fallback: 8, min: 1, max: 100 }),
    mailFrom: mailFrom ?? `Guildhall <noreply@${new URL(baseUrl).hostname}>`,
    ...readDkim(reader),
  };
}

function readDkim(reader: EnvReader): Pick<MailConfig, 'dkim'> {
  const domain = reader.text('DKIM_DOMAIN');
  const selector = reader.text('DKIM_SELECTOR');
  const privateKey = reader.secret('DKIM_PRIVATE_KEY')?.replaceAll('\\n', '\n');
  if (domain === undefined && selector === undefined && privateKey === undefined) return {};
  if (domain === undefined || selector === undefined || privateKey === undefined) {
    reader.refuse('DKIM_DOMAIN', 'goes with DKIM_SELECTOR and DKIM_PRIVATE_KEY');
    return {};
  }
  if (!DOMAIN.test(domain)) reader.refuse('DKIM_DOMAIN', 'must be a domain such as example.com');
  if (!SELECTOR.test(selector)) reader.refuse('DKIM_SELECTOR', 'must be a name such as mail2026');
  if (!isPrivateKey(privateKey)) {
    reader.refuse('DKIM_PRIVATE_KEY', 'must be an RSA private key as PEM');
  }
  return { dkim: { domain, selector, privateKey } };
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    // Node's message quotes parts of the key; that it is none says enough.
    return false;
  }
}
