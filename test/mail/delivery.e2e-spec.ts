import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from '../../src/config/env.js';
import type { EmailContent } from '../../src/core/mail/mail.js';
import { FailingAddress, OutgoingMail, MailDay } from '../../src/core/mail/outgoing-mail.entity.js';
import { JobQueue } from '../../src/core/durable-work/job-queue.service.js';
import { QUEUES } from '../../src/core/durable-work/queues.js';
import { MailOutbox } from '../../src/core/mail/mail-outbox.service.js';
import {
  NotificationEmails,
  type NotificationMail,
} from '../../src/core/mail/notification-emails.service.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { unique } from '../support/factories.js';
import { startTestWorker } from '../support/worker.js';
import { startMailServer, type MailServer } from './mail-server.js';

const CONTENT = { subject: 'Hello', text: 'Hello.', html: '<p>Hello.</p>' };

let app: OwnTestApp;
let server: MailServer;
let worker: INestApplicationContext;
/** Emails of the test's writer by ID; undefined = none. */
let emails: Map<number, EmailContent | Error>;
let lastUser = 0;
beforeAll(async () => {
  app = await startTestApp({ env: { MAIL_FROM: 'Guildhall <noreply@guildhall.example>' } });
});
beforeEach(async () => {
  server = await startMailServer();
  emails = new Map();
});
afterEach(async () => {
  await worker.close();
  await app.dataSource.manager.deleteAll(OutgoingMail);
  await app.dataSource.manager.deleteAll(FailingAddress);
  await app.dataSource.manager.deleteAll(MailDay);
  await server.close();
});
afterAll(() => app.close());

async function start(overrides: Partial<Config> = {}): Promise<void> {
  worker = await startTestWorker(app, { smtpUrl: server.url, ...overrides });
  worker.get(NotificationEmails).use({
    write: (mails) => Promise.resolve(new Map(mails.flatMap((mail) => written(mail)))),
  });
}

function written({ id, userId }: NotificationMail) {
  const email = emails.get(userId);
  if (email instanceof Error) throw email;
  return email === undefined ? [] : [[id, { to: addressOf(userId), email }] as const];
}

const addressOf = (userId: number): string => `User-${userId}@example.com`;

/** Emails about a notification to as many users. */
async function insert(email: EmailContent | Error | undefined, count = 1): Promise<number[]> {
  const rows = Array.from({ length: count }, () => {
    lastUser += 1;
    if (email !== undefined) emails.set(lastUser, email);
    return {
      recipient: 'former@example.com',
      kind: 'new_note',
      notificationId: 1,
      userId: lastUser,
      reason: 4,
    };
  });
  const { identifiers } = await app.dataSource.manager.insert(OutgoingMail, rows);
  return identifiers.map(({ id }) => id as number);
}

function wake(): void {
  app.app.get(JobQueue).notify(QUEUES.mails);
}

async function enqueue(to: string): Promise<number> {
  await app.dataSource.transaction((tx) =>
    app.app.get(MailOutbox).enqueue(tx, { to, kind: 'test', ...CONTENT }),
  );
  return (await app.dataSource.manager.findOneByOrFail(OutgoingMail, { recipient: to })).id;
}

const rowOf = (id: number): Promise<OutgoingMail> =>
  app.dataSource.manager.findOneByOrFail(OutgoingMail, { id });

function until(id: number, expected: Partial<Record<keyof OutgoingMail, unknown>>) {
  return eventually(
    async () => {
      const row = await rowOf(id);
      expect(row).toMatchObject(expected);
      return row;
    },
    { seconds: 30 },
  );
}

describe('a mail about a notification', () => {
  it('is written when it is sent, and goes to the address that its reader has then', async () => {
    await start();
    const [first = 0, second = 0] = await insert(
      {
        ...CONTENT,
        subject: 'Re: evil\r\nBcc: victim@example.com',
        fromName: 'Jane "Jay" Roe, (@jroe) <victim@example.com>\r\nX-Evil: 1',
        messageId: '<note_7@guildhall.example>',
        inReplyTo: '<issue_3@guildhall.example>',
        references: ['<reply-0@guildhall.example>', '<issue_3@guildhall.example>'],
        headers: {
          'X-Svc-Project': 'Évil\r\nX-Evil: 2',
          'List-Unsubscribe': '<https://x.example/u>',
        },
      },
      2,
    );
    wake();
    await until(first, { state: 'sent', attempts: 1, sentAt: expect.any(Date) });
    const row = await until(second, { state: 'sent' });
    expect(row.recipient).toBe(addressOf(row.userId ?? 0));
    const [mail] = server.received;
    expect(mail).toMatchObject({ from: 'noreply@guildhall.example' });
    expect(mail?.parsed).toMatchObject({
      subject: 'Re: evil Bcc: victim@example.com',
      messageId: '<note_7@guildhall.example>',
      inReplyTo: '<issue_3@guildhall.example>',
      references: ['<reply-0@guildhall.example>', '<issue_3@guildhall.example>'],
    });
    expect(mail?.parsed.from?.value).toEqual([
      {
        name: 'Jane "Jay" Roe, (@jroe) <victim@example.com> X-Evil: 1',
        address: 'noreply@guildhall.example',
      },
    ]);
    expect(mail?.parsed.headers.get('x-svc-project')).toBe('=?UTF-8?Q?=C3=89vil?= X-Evil: 2');
    expect(mail?.parsed.headers.get('x-auto-response-suppress')).toBe('All');
    expect(mail?.parsed.headers.has('x-evil')).toBe(false);
    expect(server.received.map(({ to }) => to)).toEqual([
      [expect.stringMatching(/^User-\d+@example\.com$/)],
      [expect.stringMatching(/^User-\d+@example\.com$/)],
    ]);
    expect(new Set(server.received.map(({ parsed }) => parsed.messageId)).size).toBe(1);
  });

  it('is withheld when there is nothing that its reader may see', async () => {
    await start();
    const [id = 0] = await insert(undefined);
    wake();
    await until(id, { state: 'withheld', sentAt: null });
    expect(server.received).toEqual([]);
  });

  it('that cannot be written is tried again later, and stops no other', async () => {
    await start();
    const [broken = 0] = await insert(new Error('no such template'));
    const [other = 0] = await insert(CONTENT);
    wake();
    await until(other, { state: 'sent' });
    const lastError = 'It could not be rendered: Error: no such template';
    const row = await until(broken, { state: 'queued', attempts: 1, lastError });
    expect(row.notBefore.getTime() - Date.now()).toBeGreaterThan(40_000);
  });

  it('lets mails about accounts go first, however many there are', async () => {
    const ids = await insert(CONTENT, 450);
    const to = `${unique('reader')}@example.com`;
    const own = await enqueue(to);
    await start({ smtpConnections: 4 });
    await until(own, { state: 'sent' });
    await Promise.all([ids[0], ids[449]].map((id) => until(id ?? 0, { state: 'sent' })));
    await eventually(() => server.received.length === 451, { seconds: 20 });
    // Its connection may be the slowest of the four.
    expect(server.received.slice(0, 20).flatMap((mail) => mail.to)).toContain(to);
    expect(new Set(server.received.flatMap((mail) => mail.to)).size).toBe(451);
    // An accepted email counts once its response has arrived.
    await eventually(async () => {
      const days = await app.dataSource.manager.find(MailDay);
      expect(
        days.map(({ sent, failed, withheld, retried }) => [sent, failed, withheld, retried]),
      ).toEqual([[451, 0, 0, 0]]);
    });
  });
});

describe('a mail server that is away', () => {
  it('counts as no attempt, and gets the mails when it is back', async () => {
    const url = server.url;
    await server.close();
    await start();
    const id = await enqueue(`${unique('reader')}@example.com`);
    wake();
    await until(id, { state: 'queued', attempts: 0, lastError: expect.stringContaining('ECONN') });
    server = await startMailServer(Number(new URL(url).port));
    await until(id, { state: 'sent', attempts: 1, lastError: null });
    expect(server.received).toHaveLength(1);
  });

  it('is waited for no longer than three days', async () => {
    await server.close();
    const id = await enqueue(`${unique('reader')}@example.com`);
    const threeDaysAgo = new Date(Date.now() - 3 * 86_400_000 - 1_000);
    await app.dataSource.manager.update(OutgoingMail, { id }, { queuedAt: threeDaysAgo });
    await start();
    await until(id, { state: 'failed', lastError: expect.stringContaining('ECONN') });
  });
});

describe('an address', () => {
  const refusals = (): Promise<FailingAddress[]> => app.dataSource.manager.find(FailingAddress);
  const makeDue = (id: number): Promise<unknown> =>
    app.dataSource.query('UPDATE outgoing_mails SET not_before = now() WHERE id = $1', [id]);

  it('is known for its refusals until it takes a mail', async () => {
    await start();
    const to = `${unique('Busy')}@example.com`;
    server.refusals.push({ to, code: 451, text: 'later' }, { to, code: 452, text: 'later' });
    const id = await enqueue(to);
    wake();
    await until(id, { attempts: 1, state: 'queued', lastError: expect.stringContaining('451') });
    await makeDue(id);
    wake();
    await until(id, { attempts: 2, state: 'queued', lastError: expect.stringContaining('452') });
    expect(await refusals()).toMatchObject([
      { address: to.toLowerCase(), permanent: 0, temporary: 2 },
    ]);
    await makeDue(id);
    wake();
    await until(id, { state: 'sent', attempts: 3 });
    expect(await refusals()).toEqual([]);
  });

  it('is counted from zero after a day', async () => {
    await start();
    const to = `${unique('gone')}@example.com`;
    const since = new Date(Date.now() - 86_400_000 - 1_000);
    const former = { address: to, permanent: 4, temporary: 9, since };
    await app.dataSource.manager.insert(FailingAddress, former);
    server.refusals.push({ to, code: 550, text: 'no such mailbox' });
    const id = await enqueue(to);
    wake();
    await until(id, { state: 'failed' });
    expect(await refusals()).toMatchObject([{ address: to, permanent: 1, temporary: 0 }]);
  });
});

describe('a signed mail', () => {
  it('is signed together with the addresses to unsubscribe at', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    await start({ dkim: { domain: 'guildhall.example', selector: 'mail2026', privateKey: pem } });
    const headers = {
      'List-Unsubscribe': '<https://guildhall.example/u>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
    const [id = 0] = await insert({ ...CONTENT, headers });
    wake();
    await until(id, { state: 'sent' });
    const { raw = '' } = server.received[0] ?? {};
    const signature = /^DKIM-Signature:((?:.*\r\n)(?:[ \t].*\r\n)*)/im.exec(raw)?.[1] ?? '';
    expect(signature).toMatch(/d=guildhall\.example;\s*q=dns\/txt;\s*s=mail2026;/);
    const names = /\bh=([^;]+);/.exec(signature)?.[1]?.toLowerCase().replace(/\s/g, '').split(':');
    expect(names).toEqual(
      expect.arrayContaining(['from', 'subject', 'list-unsubscribe', 'list-unsubscribe-post']),
    );
  });
});
