import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import { emailSamples } from '../../src/instance/admin/email-samples.js';
import { sharedBrowserApp, type BrowserApp } from '../support/browser-app.js';
import { makeGroup, makeProject } from '../support/project-factories.js';
import { makeUser, unique, type MadeUser } from '../support/factories.js';
import { faultsAt, faultsOf } from './inspect.js';

/** One of each kind of content. */
const DISTINCT_EMAILS = [
  'new_issue',
  'push_to_merge_request',
  'failed_pipeline',
  'moved_project',
  'alert_firing',
  'alert_digest',
  'password_reset',
];
const CONFIRMED_AGO_MS = 44 * 60_000;
const LONG_NAME = 'Maria Magdalena von und zu Oberwittelsbach-Untergrafenstein';

let app: BrowserApp;
let admin: MadeUser;
beforeAll(async () => {
  app = await sharedBrowserApp();
  admin = await makeUser(app, { admin: true, name: 'Ada Lovelace', username: unique('ada') });
});
afterAll(() => app.close());

const open = (path: string): Promise<Page> => app.openAs(admin, path);

/** A change with everything that the trail can say about one. */
async function makeEvents(user: MadeUser): Promise<void> {
  const event: Partial<AuditEvent> = {
    authorId: admin.id,
    targetType: 'User',
    targetId: user.id,
    entityType: 'User',
    entityId: user.id,
    ipAddress: '2001:db8:85a3::8a2e:370:7334',
  };
  const rows: Partial<AuditEvent>[] = [
    { action: 'user_updated', details: { email: { from: user.email, to: `new.${user.email}` } } },
    {
      action: 'user_blocked',
      details: { reason: 'Sent a great many messages that nobody wanted' },
    },
    { action: 'user_password_changed', authorId: null, ipAddress: null, details: {} },
    {
      action: 'application_settings_updated',
      entityType: 'Instance',
      entityId: null,
      details: { signup_enabled: { from: false, to: true } },
    },
  ];
  for (const row of rows) await app.dataSource.manager.insert(AuditEvent, { ...event, ...row });
}

async function makeFailedMail(): Promise<void> {
  await app.dataSource.manager.insert(OutgoingMail, {
    recipient: 'somebody.with.a.long.address@mail.department.example.com',
    kind: 'password_reset',
    state: 'failed',
    encryptedContent: 'encrypted',
    attempts: 8,
    lastError:
      '550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient',
  });
}

describe('the pages of administrators', () => {
  it('have room for long names and many rows', async () => {
    const user = await makeUser(app, {
      name: LONG_NAME,
      username: 'maria-magdalena-von-und-zu-oberwittelsbach',
      bio: 'Weaves.',
      jobTitle: 'Head of the weavers of the northern department',
      note: 'Asked twice for more projects. Call her before anything is changed here.',
      // Times do not wrap, and the longest ones are minutes.
      confirmedAt: new Date(Date.now() - CONFIRMED_AGO_MS),
    });
    for (const state of ['blocked', 'deactivated', 'pending', 'banned'] as const) {
      await makeUser(app, { name: `Somebody ${state}`, state });
    }
    for (let number = 1; number <= 20; number += 1) {
      await makeUser(app, { name: `Weaver ${number}` });
    }
    await makeEvents(user);
    await makeFailedMail();
    const group = await makeGroup(app, { name: 'Weavers of the northern department' });
    await makeProject(app, { namespaceId: group.id, archived: true });
    const page = await open('/admin');
    for (const [name, path] of [
      ['admin-home', '/admin'],
      ['admin-users-many', '/admin/users'],
      ['admin-users-none', '/admin/users?search=nobody-is-called-so'],
      ['admin-user-long', `/admin/users/${user.id}`],
      ['admin-user-edit', `/admin/users/${user.id}/edit`],
      ['admin-impersonation', `/admin/users/${user.id}/impersonation_tokens`],
      ['admin-groups', '/admin/groups'],
      ['admin-projects', '/admin/projects'],
      ['admin-audit-rows', '/admin/audit_logs'],
      ['admin-audit-none', `/admin/audit_logs?author=${admin.username}&created_before=2001-01-01`],
      ['admin-mails-failed', '/admin/mails'],
    ] as const) {
      expect(await faultsAt(page, { name, address: `${app.url}${path}` })).toEqual([]);
    }
  }, 120_000);

  it('preview emails, which fit a phone in light and dark', async () => {
    const list = await open('/admin/mails/preview');
    expect(await faultsOf(list, 'admin-email-previews')).toEqual([]);
    const page = await app.chrome.open();
    for (const kind of DISTINCT_EMAILS) {
      await page.setContent(emailSamples(app.url)[kind]?.().html ?? '');
      expect(await faultsOf(page, `email-${kind}`)).toEqual([]);
    }
  });

  it('tell what is wrong with a setting, and save a right one', async () => {
    const page = await open('/admin/application_settings');
    const field = page.locator('main input[type=number]').first();
    const name = await field.getAttribute('name');
    const form = page.locator('main form', { has: page.locator(`[name="${name}"]`) });
    const before = await field.inputValue();
    await field.fill('-5');
    await page.evaluate('for (const one of document.forms) one.noValidate = true');
    await form.locator('[type=submit]').click();
    await page.getByRole('alert').waitFor();
    expect(await faultsOf(page, 'admin-settings-wrong')).toEqual([]);
    await page.locator(`[name="${name}"]`).fill(before);
    await form.locator('[type=submit]').click();
    await page.getByRole('status').first().waitFor();
  });

  it('break none of our own rules', () => {
    expect(app.chrome.complaints()).toEqual([]);
  });
});
