import { randomUUID } from 'node:crypto';
import { renderEmail } from '../core/mail/email-template.js';
import { isMailAddress } from '../core/mail/mail-text.js';
import { MailTransport } from '../core/mail/mail-transport.service.js';
import { type Cli, CliError, type RegisterCommand } from './cli.js';

/** `guildhall mail test` */
export const registerMail: RegisterCommand = (program, cli) => {
  program
    .command('mail')
    .description('mails that the instance sends')
    .command('test')
    .description('send a mail with the configured SMTP server and tell what it said')
    .argument('<address>', 'who gets it')
    .action((address: string) => sendTest(cli, address));
};

async function sendTest(cli: Cli, to: string): Promise<void> {
  const { smtpUrl, mailFrom, baseUrl } = cli.config;
  if (!isMailAddress(to)) throw new CliError(`${to} is no e-mail address`);
  if (smtpUrl === undefined) {
    throw new CliError('SMTP_URL is not set: mails are written to the log of the worker');
  }
  const email = renderEmail({
    subject: 'Mail from Guildhall works',
    name: to,
    paragraphs: ['This mail was sent to try out the settings for mail. They work.'],
    baseUrl,
  });
  const { hostname } = new URL(baseUrl);
  const messageId = `<test-${randomUUID()}@${hostname}>`;
  const response = await cli.withApp((app) =>
    app.get(MailTransport).send({ ...email, to, messageId, date: new Date() }),
  );
  const told = `The server took the mail to ${to}: ${response}`;
  cli.print({ sent: true, to, from: mailFrom, response }, told);
}
