import { beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { MailDay, OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import { emailSamples } from '../../src/instance/admin/email-samples.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { unique } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeVisitor, type PageClient } from '../support/page-client.js';

let app: TestApp;
let pages: PageClient;
beforeAll(async () => {
  app = await sharedTestApp();
  ({ pages } = await makeVisitor(app, { admin: true }));
});

async function makeMail(attributes: Partial<OutgoingMail> = {}): Promise<OutgoingMail> {
  const inserted = await app.dataSource.manager.insert(OutgoingMail, {
    recipient: `${unique('to')}@example.com`,
    kind: 'password_reset',
    state: 'failed',
    encryptedContent: 'encrypted',
    attempts: 8,
    lastError: '550 <b>no such mailbox</b>',
    ...attributes,
  });
  const { id } = inserted.identifiers[0] as { id: number };
  return app.dataSource.manager.findOneByOrFail(OutgoingMail, { id });
}

describe('the page with failed mails', () => {
  it('shows recipient, kind and error of failed emails, but never their content', async () => {
    const failed = await makeMail();
    const waiting = await makeMail({ state: 'queued' });
    const { text } = await pages.get('/admin/mails').expect(200);
    expect(textOf(text)).toContain(
      `${failed.recipient} password reset 550 <b>no such mailbox</b> 8`,
    );
    expect(text).not.toContain('<b>no such');
    expect(text).not.toContain(waiting.recipient);
    expect(text).not.toContain('encrypted');
  });

  it('queues a mail again as if it were new', async () => {
    const { id } = await makeMail();
    const { headers } = await pages.post(`/admin/mails/${id}/retry`).expect(303);
    expect(headers['location']).toBe('/admin/mails');
    const row = await app.dataSource.manager.findOneByOrFail(OutgoingMail, { id });
    expect(row).toMatchObject({ state: 'queued', attempts: 0 });
    expect(row.notBefore.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('shows the failed mails that match, and queues all of them again', async () => {
    const [one, two] = [await makeMail({ kind: 'new_note' }), await makeMail({ kind: 'new_note' })];
    const other = await makeMail();
    const { text } = await pages.get('/admin/mails?kind=new_note&search=TO').expect(200);
    expect(text).toContain(one.recipient);
    expect(text).toContain(two.recipient);
    expect(text).not.toContain(other.recipient);
    await pages.post('/admin/mails/retry', { kind: 'new_note', search: '' }).expect(303);
    const stateOf = async ({ id }: OutgoingMail): Promise<string> =>
      (await app.dataSource.manager.findOneByOrFail(OutgoingMail, { id })).state;
    expect([await stateOf(one), await stateOf(two), await stateOf(other)]).toEqual([
      'queued',
      'queued',
      'failed',
    ]);
    const [event] = await app.dataSource.manager.find(AuditEvent, {
      where: { action: 'mails_retried' },
    });
    expect(event?.details).toMatchObject({ kind: 'new_note', search: null, count: 2 });
  });

  it('shows how many mails were sent and failed on each day', async () => {
    const today = new Date().toISOString().slice(0, 10);
    await app.dataSource.manager.insert(MailDay, { day: today, sent: 41, failed: 3 });
    const { text } = await pages.get('/admin/mails').expect(200);
    expect(textOf(text)).toContain(`${today}: 41 sent, 3 failed`);
    expect(textOf(text)).toContain('Total sent 41');
  });

  it('sends nothing twice, and nothing that there is not', async () => {
    const { id } = await makeMail({ state: 'sent', encryptedContent: null });
    await pages.post(`/admin/mails/${id}/retry`).expect(303);
    const row = await app.dataSource.manager.findOneByOrFail(OutgoingMail, { id });
    expect(row.state).toBe('sent');
    await pages.post('/admin/mails/999999999/retry').expect(404);
  });
});

describe('email previews', () => {
  it('list every kind and show both parts, which load nothing and run nothing', async () => {
    const list = await pages.get('/admin/mails/preview').expect(200);
    const kinds = [...list.text.matchAll(/preview\/(\w+)\/html/g)].map(([, kind]) => String(kind));
    expect(kinds).toEqual(Object.keys(emailSamples(app.url)));
    for (const kind of kinds) {
      const html = await pages.get(`/admin/mails/preview/${kind}/html`).expect(200);
      expect(html.headers['content-security-policy']).toMatch(/^default-src 'none';.* sandbox /);
      expect(html.text).not.toMatch(/<script|<img|<link|url\(/);
      expect(Buffer.byteLength(html.text)).toBeLessThan(102 * 1024);
      const text = await pages.get(`/admin/mails/preview/${kind}/text`).expect(200);
      expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(text.text).toContain("\n\n-- \nYou're receiving this because ");
      expect(text.text).not.toMatch(/undefined|null|\[object|<\w+>/);
    }
  });

  it('do not exist for other kinds and for others', async () => {
    await pages.get('/admin/mails/preview/toString/html').expect(404);
    const visitor = await makeVisitor(app);
    for (const part of ['html', 'text']) {
      await visitor.pages.get(`/admin/mails/preview/new_issue/${part}`).expect(404);
    }
  });
});
