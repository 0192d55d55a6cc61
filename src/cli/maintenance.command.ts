import { randomUUID } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { h } from 'preact';
import { Paragraph } from '../core/mail/email-parts.js';
import { renderEmail } from '../core/mail/email-template.js';
import { MailTransport } from '../core/mail/mail-transport.service.js';
import { isMailAddress } from '../core/mail/mail.js';
import {
  ErrorPartitions,
  ErrorRetention,
} from '../error-tracking/worker/error-maintenance.service.js';
import { EventPruning, type Pruned } from '../events/worker/event-retention.service.js';
import { keyStateAt, type KeyState } from '../oauth/openid/signing-key-schedule.js';
import {
  SigningKeyStore,
  usable,
  type StoredKey,
} from '../oauth/openid/signing-key-store.service.js';
import { type Cli, CliError, type RegisterCommand } from './cli.js';

/** A signing key as the command line shows it. */
interface ShownKey {
  kid: string;
  state: KeyState | 'unreadable';
  active_from: string;
  created_at: string;
}

/** `guildhall mail test` */
export const registerMail: RegisterCommand = (program, cli) => {
  program
    .command('mail')
    .description('test email delivery')
    .command('test')
    .description("send an email through the configured SMTP server and show the server's response")
    .argument('<address>', 'recipient')
    .action((address: string) => sendTest(cli, address));
};

/** `guildhall keys list|rotate` */
export const registerKeys: RegisterCommand = (program, cli) => {
  const keys = program.command('keys').description('manage OIDC signing keys');
  keys
    .command('list')
    .description('show the published keys with their states')
    .action(() => cli.withApp(async (app) => showKeys(cli, await storeOf(app).read())));
  keys
    .command('rotate')
    .description('create the next signing key; it becomes active in 24 h')
    .option('--at-once', 'revoke all keys (compromise)')
    .action((options: { atOnce?: boolean }) => rotate(cli, options.atOnce === true));
};

/** `guildhall events prune` */
export const registerEvents: RegisterCommand = (program, cli) => {
  program
    .command('events')
    .description('prune activity events')
    .command('prune')
    .description('remove events older than event_retention_days, as the worker does regularly')
    .option('--dry-run', 'show what would be removed, without removing')
    .action((options: { dryRun?: boolean }) => prune(cli, options.dryRun === true));
};

/** `guildhall errors prune` */
export const registerErrors: RegisterCommand = (program, cli) => {
  program
    .command('errors')
    .description('prune error tracking data')
    .command('prune')
    .description('remove expired error events, trends and unseen errors, as the worker does')
    .action(() => pruneErrors(cli));
};

async function pruneErrors(cli: Cli): Promise<void> {
  const isStopping = (): boolean => false;
  const { partitions, removed } = await cli.withApp(async (app) => {
    const pruned = {
      partitions: await app.get(ErrorPartitions, { strict: false }).prune(isStopping),
      removed: await app.get(ErrorRetention, { strict: false }).run(isStopping),
    };
    await cli.recordAction(app, {
      action: 'errors_pruned',
      targetType: 'Instance',
      targetId: null,
      details: { partitions: pruned.partitions.length, ...pruned.removed },
    });
    return pruned;
  });
  const days = partitions.map(({ table, day }) => `${table} ${day}`);
  const counts = `${removed.errors} errors, ${removed.trends} trends, ${removed.outcomes} outcomes`;
  const dropped = days.length === 0 ? '' : `; dropped ${days.join(', ')}`;
  cli.print({ partitions, ...removed }, `Removed ${counts}${dropped}`);
}

async function sendTest(cli: Cli, to: string): Promise<void> {
  const { smtpUrl, mailFrom, baseUrl } = cli.config;
  if (!isMailAddress(to)) throw new CliError(`${to} is not an email address`);
  if (smtpUrl === undefined) {
    throw new CliError('SMTP_URL is not set: emails are written to the log of the worker');
  }
  const email = renderEmail({
    subject: 'Test email from Guildhall',
    heading: 'Test email',
    body: h(Paragraph, { children: 'Email delivery is configured correctly.' }),
    reasons: [{ text: "You're receiving this because an administrator tested email delivery." }],
    baseUrl,
  });
  const { hostname } = new URL(baseUrl);
  const messageId = `<test-${randomUUID()}@${hostname}>`;
  const response = await cli.withApp((app) =>
    app.get(MailTransport).send({ ...email, to, messageId, date: new Date() }),
  );
  const result = { sent: true, to, from: mailFrom, response };
  cli.print(result, `The server accepted the email to ${to}: ${response}`);
}

function rotate(cli: Cli, atOnce: boolean): Promise<void> {
  return cli.withApp(async (app) => {
    const store = storeOf(app);
    const now = new Date();
    showKeys(
      cli,
      await (atOnce ? store.replaceAll(now, cli.actor) : store.advance(now, cli.actor)),
    );
  });
}

function storeOf(app: INestApplicationContext): SigningKeyStore {
  return app.get(SigningKeyStore, { strict: false });
}

function showKeys(cli: Cli, keys: readonly StoredKey[]): void {
  const now = new Date();
  const shown = keys.map((key) => shownOf(key, keys, now));
  const lines = shown.map(({ kid, state, active_from: from }) => `${kid}  ${state}, from ${from}`);
  cli.print(shown, lines.join('\n') || 'There are no keys yet: the first sign-in creates one');
}

function shownOf(key: StoredKey, keys: readonly StoredKey[], now: Date): ShownKey {
  const state = key.privateJwk === null ? 'unreadable' : keyStateAt(key, usable(keys), now);
  return {
    kid: key.kid,
    state,
    active_from: key.activeFrom.toISOString(),
    created_at: key.createdAt.toISOString(),
  };
}

function prune(cli: Cli, isDryRun: boolean): Promise<void> {
  return cli.withApp(async (app) => {
    const pruning = app.get(EventPruning, { strict: false });
    const pruned = isDryRun
      ? await pruning.forecast()
      : await pruning.run({ isStopping: () => false });
    showPruned(cli, pruned, isDryRun);
  });
}

function showPruned(
  cli: Cli,
  { before, partitions, events, isComplete }: Pruned,
  isDryRun: boolean,
): void {
  const end = before.toISOString();
  const details = partitions.length === 0 ? '' : `, with ${partitions.join(', ')}`;
  const text = isDryRun
    ? `${events} events before ${end} would be removed${details}`
    : `Removed ${events} events before ${end}${details}`;
  const rest = 'Some events are in use. Try again, or leave them to the worker';
  cli.print(
    { dry_run: isDryRun, before: end, partitions, events, complete: isComplete },
    isDryRun || isComplete ? text : `${text}\n${rest}`,
  );
}
