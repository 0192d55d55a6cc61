import { beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeUser, unique } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeMember, makeOwnedGroup, makeProject } from '../support/project-factories.js';
import { makeVisitor, type PageClient } from '../support/page-client.js';

let app: TestApp;
let pages: PageClient;
beforeAll(async () => {
  app = await sharedTestApp();
  ({ pages } = await makeVisitor(app, { admin: true }));
});

async function makeEvent(attributes: Partial<AuditEvent> = {}): Promise<string> {
  const targetName = unique('target');
  await app.dataSource.manager.insert(AuditEvent, {
    action: 'user_updated',
    targetType: 'Key',
    targetId: 1,
    targetName,
    entityType: 'Instance',
    details: {},
    ...attributes,
  });
  return targetName;
}

describe('GET /admin/audit_logs', () => {
  it('shows actor, changes and IP address', async () => {
    const author = await makeUser(app);
    const name = await makeEvent({
      authorId: author.id,
      ipAddress: '192.0.2.7',
      details: {
        email: { from: 'a@example.com', to: null },
        access_level: { from: 30, to: 40 },
        reason: 'asked for',
        token_id: 7,
      },
    });
    const { text } = await pages.get(`/admin/audit_logs?author=${author.username}`).expect(200);
    const shown = textOf(text);
    expect(shown).toContain(
      `${author.name} User updated ${name} Key email: a@example.com → none, role: Developer → Maintainer`,
    );
    expect(shown).toContain('email a@example.com → none role Developer → Maintainer event ID');
    expect(shown).toContain('IP address 192.0.2.7');
    expect(shown).toContain('target ID 1 reason asked for token ID 7');
  });

  it('is filtered by time and entity', async () => {
    const { id } = await makeUser(app);
    const old = await makeEvent({
      entityType: 'User',
      entityId: id,
      createdAt: new Date('2020-05-05T12:00:00Z'),
    });
    const young = await makeEvent({ entityType: 'User', entityId: id });
    const trail = `entity_type=User&entity_id=${id}`;
    const both = await pages.get(`/admin/audit_logs?${trail}`).expect(200);
    const before = await pages.get(`/admin/audit_logs?${trail}&created_before=2021-01-01`);
    const after = await pages.get(`/admin/audit_logs?${trail}&created_after=2021-01-01`);
    const found = [both, before, after].map(({ text }) =>
      [old, young].filter((name) => text.includes(name)),
    );
    expect(found).toEqual([[old, young], [old], [young]]);
    expect(before.text).toMatch(/<input[^>]*type="date" value="2021-01-01"/);
  });

  it('turns pages and keeps the filters', async () => {
    const { id } = await makeUser(app);
    for (let count = 0; count < 3; count += 1)
      await makeEvent({ entityType: 'User', entityId: id });
    const query = `entity_type=User&entity_id=${id}`;
    const { text } = await pages.get(`/admin/audit_logs?${query}&per_page=2`).expect(200);
    expect(text).toContain('Page 1 of 2');
    expect(text).toContain(`?entity_type=User&amp;entity_id=${id}&amp;page=2`);
  });

  it('takes the filters as they are sent when none is chosen', async () => {
    const name = await makeEvent();
    const none = 'created_after=&created_before=&author=&entity_type=&entity_id=';
    const { text } = await pages.get(`/admin/audit_logs?${none}`).expect(200);
    expect(text).toContain(name);
  });

  it.each([
    ['author=nobody-of-that-name', 'Author is not a user.'],
    ['entity_id=7', 'Entity type is missing.'],
    ['created_after=yesterday', 'Created after is invalid.'],
  ])('tells that %s is wrong and lists nothing', async (query, problem) => {
    const name = await makeEvent();
    const { text } = await pages.get(`/admin/audit_logs?${query}`).expect(422);
    expect(text).toContain(problem);
    expect(text).not.toContain(name);
  });

  it('shows names as text', async () => {
    const author = await makeUser(app);
    const targetName = '<svg onload=alert(1)>';
    await makeEvent({ authorId: author.id, targetName, details: { note: '<i>x</i>' } });
    const { text } = await pages.get(`/admin/audit_logs?author=${author.username}`).expect(200);
    expect(text).toContain('&lt;svg onload=alert(1)>');
    expect(text).not.toMatch(/<svg onload|<i>/);
  });
});

describe('GET /admin/audit_logs/export', () => {
  it('returns the filtered log as CSV that spreadsheets do not run', async () => {
    const author = await makeUser(app, { name: '=HYPERLINK("x")' });
    const name = await makeEvent({ authorId: author.id, details: { note: 'a, "b"' } });
    const path = `/admin/audit_logs/export?author=${author.username}`;
    const { text, headers } = await pages.get(path).expect(200);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit-log.csv"',
    });
    const [head = '', row = '', rest] = text.split('\r\n');
    expect(head).toMatch(/^id,time,actor_id,actor,impersonator,event,/);
    expect(row).toContain(`,${author.id},"'=HYPERLINK(""x"")",,user_updated,Key,1,${name},`);
    expect(row).toContain('"{""note"":""a, \\""b\\""""}"');
    expect(rest).toBe('');
  });

  it('is for administrators only', async () => {
    const { pages: others } = await makeVisitor(app);
    await others.get('/admin/audit_logs/export').expect(404);
  });
});

describe.each(['group', 'project'] as const)('the audit log of a %s', (kind) => {
  it('lists its own events, to those who manage it only', async () => {
    const owner = await makeVisitor(app);
    const group = await makeOwnedGroup(app, owner, { visibility: 'public' });
    const project = await makeProject(app, { namespaceId: group.id, visibility: 'public' });
    const isGroup = kind === 'group';
    const base = isGroup ? `/groups/${group.fullPath}` : `/${project.fullPath}`;
    const entityType = isGroup ? 'Group' : 'Project';
    const own = await makeEvent({ entityType, entityId: isGroup ? group.id : project.id });
    const other = await makeEvent({ entityType, entityId: 0 });
    const { text } = await owner.pages.get(`${base}/-/audit_events`).expect(200);
    expect([text.includes(own), text.includes(other)]).toEqual([true, false]);
    expect(text).toContain(`href="${base}/-/audit_events"`);
    expect(text).not.toContain('/export');
    const foreign = `${base}/-/audit_events?entity_type=${entityType}&entity_id=0`;
    expect((await owner.pages.get(foreign).expect(200)).text).not.toContain(other);
    const none = await owner.pages.get(`${base}/-/audit_events?created_before=2001-01-01`);
    expect(none.text).not.toContain(own);
    await owner.pages.get(`${base}/-/audit_events?author=nobody-of-that-name`).expect(422);
    const exported = (await pages.get(`${base}/-/audit_events`).expect(200)).text;
    expect(exported).toContain(`/admin/audit_logs/export?`);
    const member = await makeVisitor(app);
    const source = isGroup ? { group } : { project };
    const role = isGroup ? 'maintainer' : 'developer';
    await makeMember(app, { ...source, user: member.user, role });
    await member.pages.get(`${base}/-/audit_events`).expect(404);
    const stranger = await makeVisitor(app);
    await stranger.pages.get(`${base}/-/audit_events`).expect(404);
  });
});
