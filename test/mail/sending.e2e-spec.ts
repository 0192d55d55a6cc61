import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { h } from 'preact';
import { Paragraph } from '../../src/core/mail/email-parts.js';
import { renderEmail } from '../../src/core/mail/email-template.js';
import { Clock } from '../../src/core/clock.js';
import { DurableWorker } from '../../src/core/durable-work/durable-worker.service.js';
import type { Mail } from '../../src/core/mail/mail.js';
import { Sql } from '../../src/core/sql/sql.service.js';
import { MailDelivery } from '../../src/core/mail/mail-delivery.service.js';
import { MailOutbox } from '../../src/core/mail/mail-outbox.service.js';
import { OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import {
  OutgoingMailsRepository,
  type LeasedMail,
} from '../../src/core/mail/outgoing-mails.repository.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { unique } from '../support/factories.js';
import { startTestWorker } from '../support/worker.js';
import { startMailServer, type MailServer } from './mail-server.js';

describe('a mail', () => {
  let app: OwnTestApp;
  let server: MailServer;
  let worker: INestApplicationContext | undefined;
  beforeAll(async () => {
    app = await startTestApp({ env: { MAIL_FROM: 'Guildhall <noreply@guildhall.example>' } });
  });
  beforeEach(async () => {
    server = await startMailServer();
  });
  afterEach(async () => {
    await worker?.close();
    worker = undefined;
    await app.dataSource.manager.deleteAll(OutgoingMail);
    await server.close();
  });
  afterAll(() => app.close());

  const start = async (): Promise<void> => {
    worker = await startTestWorker(app, { smtpUrl: server.url });
  };

  async function enqueue(mail: Partial<Mail> = {}): Promise<number> {
    const email = renderEmail({
      subject: 'Hello',
      heading: 'Hello Sam',
      body: h(Paragraph, { children: 'Something happened.' }),
      reasons: [],
      baseUrl: app.url,
    });
    const to = `${unique('reader')}@example.com`;
    const outbox = app.app.get(MailOutbox);
    await app.dataSource.transaction((tx) =>
      outbox.enqueue(tx, { to, kind: 'test', ...email, ...mail }),
    );
    const [row] = await app.dataSource.manager.find(OutgoingMail, { order: { id: 'DESC' } });
    return row?.id ?? 0;
  }
  const rowOf = (id: number): Promise<OutgoingMail> =>
    app.dataSource.manager.findOneByOrFail(OutgoingMail, { id });
  const hasState = (id: number, state: string): Promise<OutgoingMail> =>
    eventually(
      async () => {
        const row = await rowOf(id);
        expect(row.state).toBe(state);
        return row;
      },
      { seconds: 25 },
    );
  const makeDue = (id: number): Promise<unknown> =>
    app.dataSource.query('UPDATE outgoing_mails SET not_before = now() WHERE id = $1', [id]);

  it('reaches its reader as text and HTML, and is forgotten then', async () => {
    await start();
    const to = `${unique('reader')}@example.com`;
    const id = await enqueue({ to });
    expect(await hasState(id, 'sent')).toMatchObject({
      attempts: 1,
      encryptedContent: null,
      lastError: null,
      sentAt: expect.any(Date),
    });
    expect(server.received).toHaveLength(1);
    const [mail] = server.received;
    expect(mail).toMatchObject({ from: 'noreply@guildhall.example', to: [to] });
    expect(mail?.parsed).toMatchObject({
      subject: 'Hello',
      text: expect.stringContaining('Hello Sam\n\nSomething happened.'),
      html: expect.stringContaining('>Something happened.</p>'),
      messageId: expect.stringMatching(new RegExp(`^<mail-${id}\\.\\d+@127\\.0\\.0\\.1>$`)),
    });
    expect(mail?.parsed.from?.text).toBe('"Guildhall" <noreply@guildhall.example>');
    expect(mail?.parsed.headers.get('auto-submitted')).toBe('auto-generated');
  });

  it('is not kept when the reason for it is undone', async () => {
    const outbox = app.app.get(MailOutbox);
    const email = {
      subject: 'x',
      text: 'x',
      html: 'x',
      to: 'a@example.com',
      kind: 'test',
    } as const;
    const undone = app.dataSource.transaction(async (tx) => {
      await outbox.enqueue(tx, email);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await app.dataSource.manager.count(OutgoingMail)).toBe(0);
  });

  it('is sent by a worker without a job', async () => {
    const id = await enqueue();
    await start();
    await hasState(id, 'sent');
  });

  it('is tried again when the server is busy, later each time, as the same mail', async () => {
    await start();
    const to = `${unique('busy')}@example.com`;
    server.refusals.push({ to, code: 451, text: 'later' }, { to, code: 452, text: 'later still' });
    const id = await enqueue({ to });
    const first = await eventually(async () => {
      const row = await rowOf(id);
      expect(row.lastError).toContain('later');
      return row;
    });
    expect(first).toMatchObject({ state: 'queued', attempts: 1 });
    expect(first.notBefore.getTime() - Date.now()).toBeGreaterThan(50_000);
    await makeDue(id);
    const second = await eventually(async () => {
      const row = await rowOf(id);
      expect(row.lastError).toContain('later still');
      return row;
    });
    expect(second.notBefore.getTime() - Date.now()).toBeGreaterThan(290_000);
    await makeDue(id);
    await hasState(id, 'sent');
    expect(server.received).toHaveLength(1);
  });

  it('has failed when the server never takes it, and stops no other', async () => {
    const to = `${unique('nobody')}@example.com`;
    server.refusals.push({ to, code: 550, text: 'no such mailbox' });
    const refused = await enqueue({ to });
    const taken = await enqueue();
    await start();
    await Promise.all([
      eventually(() => server.received.length === 1),
      hasState(refused, 'failed'),
    ]);
    expect((await rowOf(refused)).lastError).toContain('no such mailbox');
    expect((await hasState(taken, 'sent')).attempts).toBe(1);
  });

  it('has failed after the last of many attempts', async () => {
    const to = `${unique('busy')}@example.com`;
    server.refusals.push({ to, code: 451, text: 'never' });
    const id = await enqueue({ to });
    await app.dataSource.manager.update(OutgoingMail, { id }, { attempts: 5 });
    await start();
    expect(await hasState(id, 'failed')).toMatchObject({ attempts: 6 });
  });

  it('waits while no server is there', async () => {
    worker = await startTestWorker(app, { smtpUrl: 'smtp://127.0.0.1:1' });
    const id = await enqueue();
    const row = await eventually(async () => {
      const found = await rowOf(id);
      expect(found.lastError).toContain('ECONNREFUSED');
      return found;
    });
    expect(row).toMatchObject({ state: 'queued', attempts: 0 });
  });

  it('is tried again after a round that the database ended with an error', async () => {
    await start();
    await worker?.get(DurableWorker).onModuleDestroy();
    const sendDue = () => worker?.get(MailDelivery).sendDue(() => false);
    const sent = await enqueue();
    await expect(sendDue()).resolves.toBeUndefined();
    expect((await rowOf(sent)).state).toBe('sent');
    await app.dataSource.query(`
      CREATE FUNCTION refuse_update() RETURNS trigger AS $$
        BEGIN RAISE EXCEPTION 'the disk is full'; END $$ LANGUAGE plpgsql;
      CREATE TRIGGER refuse_update BEFORE UPDATE ON outgoing_mails FOR EACH ROW
        EXECUTE FUNCTION refuse_update()`);
    const id = await enqueue();
    await expect(sendDue()).rejects.toThrow('the disk is full');
    await app.dataSource.query('DROP FUNCTION refuse_update CASCADE');
    expect(await rowOf(id)).toMatchObject({ state: 'queued', attempts: 0 });
    await sendDue();
    expect((await rowOf(id)).state).toBe('sent');
  });

  it('is taken over from a worker that is gone, whose late word does not count', async () => {
    const id = await enqueue();
    const mails = new OutgoingMailsRepository(app.dataSource, app.app.get(Sql), new Clock());
    const [lost] = await mails.lease(10);
    expect(lost).toMatchObject({ id, attempts: 1 });
    expect(await mails.lease(10)).toEqual([]);
    await makeDue(id);
    const [taken] = await mails.lease(10);
    expect(taken).toMatchObject({ id, attempts: 2 });
    await mails.fail(lost as LeasedMail, 'too late');
    expect(await rowOf(id)).toMatchObject({ state: 'queued', lastError: null });
    await mails.markSent([{ mail: taken as LeasedMail, recipient: 'sam@example.com' }]);
    expect((await rowOf(id)).state).toBe('sent');
  });

  it('is sent once by many workers', async () => {
    const ids: number[] = [];
    for (let index = 0; index < 25; index += 1) ids.push(await enqueue());
    const workers = await Promise.all(
      [1, 2, 3].map(() => startTestWorker(app, { smtpUrl: server.url })),
    );
    try {
      await Promise.all(ids.map((id) => hasState(id, 'sent')));
    } finally {
      await Promise.all(workers.map((one) => one.close()));
    }
    const messages = new Set(server.received.map(({ parsed }) => parsed.messageId));
    expect(server.received).toHaveLength(25);
    expect(messages.size).toBe(25);
  });

  it.each([
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com, b@example.com',
    'Sam <a@example.com>',
    'a@example.com\0',
    'a@example.com\u2028',
    '"a b"@example.com',
    'nobody',
    '',
  ])('is never kept for %p', async (to) => {
    await expect(enqueue({ to })).rejects.toThrow('not an email address');
    expect(await app.dataSource.manager.count(OutgoingMail)).toBe(0);
  });

  it('has no header injected by a name', async () => {
    await start();
    const evil = 'Hi\r\nBcc: victim@example.com\r\n\r\nbody\0\u2028X: 1\u0085Y: 2';
    const email = renderEmail({
      subject: evil,
      heading: evil,
      body: h(Paragraph, { children: '<script>alert(1)</script>' }),
      reasons: [],
      baseUrl: app.url,
    });
    const id = await enqueue(email);
    await hasState(id, 'sent');
    const [mail] = server.received;
    expect(mail?.to).toHaveLength(1);
    expect(mail?.parsed.bcc).toBeUndefined();
    expect(mail?.parsed.headers.has('x')).toBe(false);
    expect(mail?.parsed.subject).toBe('Hi Bcc: victim@example.com body X: 1 Y: 2');
    expect(mail?.parsed.html).not.toContain('<script>');
    const [header = ''] = (mail?.raw ?? '').split('\r\n\r\n');
    expect(header).not.toMatch(/^(bcc|x|y):/im);
  });
});
