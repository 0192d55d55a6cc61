import type { EmailContent } from '../../src/core/mail/mail.js';
import { OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import { mailCipher } from '../../src/core/mail/mail-outbox.service.js';
import type { TestApp } from './app.js';

/** Emails that wait for the address, the oldest first. */
export async function mailsTo(
  { dataSource, config }: Pick<TestApp, 'dataSource' | 'config'>,
  recipient: string,
): Promise<(EmailContent & { kind: string })[]> {
  const rows = await dataSource.manager.find(OutgoingMail, {
    where: { recipient },
    order: { id: 'ASC' },
  });
  return rows.map(({ kind, encryptedContent }) => ({
    kind,
    ...(JSON.parse(mailCipher(config).decrypt(encryptedContent ?? '') ?? '{}') as EmailContent),
  }));
}

/** Path and query of the link in an email's text. */
export function linkIn({ text }: Pick<EmailContent, 'text'>, baseUrl: string): string {
  const line = text.split('\n').find((one) => one.startsWith(`${baseUrl}/`)) ?? '';
  return line.slice(baseUrl.length);
}

/** The token at the end of a link. */
export function tokenIn(link: string): string {
  return link.slice(link.indexOf('=') + 1);
}
