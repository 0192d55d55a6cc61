import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { Alert } from '../../src/alerts/alert.entity.js';
import { OutgoingMail } from '../../src/mail/outgoing-mail.entity.js';
import type { User } from '../../src/users/user.entity.js';
import { startMailServer, type MailServer, type ReceivedMail } from '../mail/mail-server.js';
import { makeAlert, makeEnvironment, setAlertSettings } from '../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import {
  makeGroup,
  makeMember,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';
import { startTestWorker } from '../support/worker.js';
import { makeReaction, react, waitingReactions } from './reactions.js';

let app: OwnTestApp;
let server: MailServer;
let worker: INestApplicationContext;
beforeAll(async () => {
  [app, server] = await Promise.all([startTestApp(), startMailServer()]);
  worker = await startTestWorker(app, { smtpUrl: server.url });
});
afterEach(() => {
  server.received.length = 0;
});
afterAll(async () => {
  await worker.close();
  await server.close();
  await app.close();
});

/** A project that mails its alerts, and its only maintainer. */
async function mailingProject(): Promise<{ project: MadeProject; maintainer: MadeUser }> {
  const { id: namespaceId } = await makeGroup(app);
  const [project, maintainer] = [
    await makeProject(app, { namespaceId }),
    await makeUser(app, { name: 'Sam' }),
  ];
  await makeMember(app, { project, user: maintainer, role: 'maintainer' });
  await setAlertSettings(app, project, { sendEmail: true });
  return { project, maintainer };
}

/** Everything that was written is with the server. */
async function delivered(): Promise<ReceivedMail[]> {
  await react(worker);
  await eventually(async () => {
    expect(await app.dataSource.manager.countBy(OutgoingMail, { state: 'queued' })).toBe(0);
  });
  expect(await waitingReactions(app)).toEqual([]);
  return server.received;
}

describe('a mail about an alert', () => {
  it('tells who maintains the project what fires', async () => {
    const { project, maintainer } = await mailingProject();
    const environment = await makeEnvironment(app, project, { name: 'production' });
    const alert = await makeAlert(app, project, {
      title: 'Disk full\r\nBcc: all@example.com <b>',
      severity: 1,
      startedAt: new Date('2026-03-01T10:00:00Z'),
      service: 'db',
      monitoringTool: 'Datadog',
      hosts: ['web01', 'web02'],
      environmentId: environment.id,
      eventCount: 3,
    });
    await makeReaction(app, alert, 'mail_firing');
    const [mail, ...more] = await delivered();
    expect(more).toEqual([]);
    expect(mail?.to).toEqual([maintainer.email]);
    const name = `Name of ${project.fullPath.split('/')[0]} / ${project.name}`;
    const title = 'Disk full Bcc: all@example.com <b>';
    expect(mail?.parsed.subject).toBe(`${name} | Alert: ${title}`);
    const page = `${app.url}/${project.fullPath}/-/alert_management/${alert.iid}/details`;
    expect(mail?.parsed.text?.trim()).toBe(
      [
        'Hello Sam,',
        `An alert fires in ${name}: ${title}`,
        [
          `Title: ${title}`,
          'Severity: high',
          `Project: ${name}`,
          'Started: 2026-03-01 10:00:00 UTC',
          'Service: db',
          'Monitoring tool: Datadog',
          'Environment: production',
          'Hosts: web01, web02',
          'Events: 3',
        ].join('\n'),
        `Open the alert:\n${page}`,
        `You get this mail because of your role in ${name}, which mails its alerts.`,
        `-- \nGuildhall, ${app.url}`,
      ].join('\n\n'),
    );
    expect(mail?.parsed.html).toContain('Severity: <strong>high</strong>');
    expect(mail?.parsed.html).toContain('all@example.com &lt;b>');
  });

  it('tells that it has recovered', async () => {
    const { project } = await mailingProject();
    const alert = await makeAlert(app, project, {
      title: 'Disk full',
      status: 2,
      endedAt: new Date('2026-03-01T11:00:00Z'),
    });
    await makeReaction(app, alert, 'mail_recovery');
    const [mail] = await delivered();
    expect(mail?.parsed.subject).toContain('| Recovered: Disk full');
    expect(mail?.parsed.text).toContain(`has recovered: Disk full`);
    expect(mail?.parsed.text).toContain('Ended: 2026-03-01 11:00:00 UTC');
  });

  it('comes for each event while the alert is triggered, then no more', async () => {
    const { project } = await mailingProject();
    const alert = await makeAlert(app, project);
    await makeReaction(app, alert, 'mail_firing');
    await delivered();
    await makeReaction(app, alert, 'mail_firing');
    expect(await delivered()).toHaveLength(2);
    await makeReaction(app, alert, 'mail_firing');
    await app.dataSource.manager.update(Alert, { id: alert.id }, { status: 1 });
    expect(await delivered()).toHaveLength(2);
  });

  it('is one, with the count, for many events that waited together', async () => {
    const { project } = await mailingProject();
    const [busy, calm] = [await makeAlert(app, project), await makeAlert(app, project)];
    for (let count = 0; count < 6; count += 1) {
      await makeReaction(app, busy, { kind: 'mail_firing', events: count === 0 ? 7 : 1 });
    }
    for (let count = 0; count < 5; count += 1) await makeReaction(app, calm, 'mail_firing');
    const mails = (await delivered()).map(({ parsed }) => parsed.text ?? '');
    const about = (title: string): string[] => mails.filter((text) => text.includes(title));
    expect(about(calm.title)).toHaveLength(5);
    expect(about(busy.title)).toHaveLength(1);
    expect(about(busy.title)[0]).toContain('It fired 12 times since the last mail about it.');
  });

  it('is one for a burst of many alerts, which it lists', async () => {
    const { project, maintainer } = await mailingProject();
    const alerts = [];
    for (let count = 0; count < 7; count += 1) alerts.push(await makeAlert(app, project));
    for (const alert of alerts) await makeReaction(app, alert, 'mail_firing');
    const [mail, ...more] = await delivered();
    expect(more).toEqual([]);
    expect(mail?.to).toEqual([maintainer.email]);
    expect(mail?.parsed.subject).toContain('| Firing: 7 alerts');
    for (const { title } of alerts) expect(mail?.parsed.text).toContain(title);
    expect(mail?.parsed.text).toContain(`${app.url}/${project.fullPath}/-/alert_management`);
  });

  it('has the headers that people filter the mails of a project by', async () => {
    const { project } = await mailingProject();
    await makeReaction(app, await makeAlert(app, project), 'mail_firing');
    const [mail] = await delivered();
    const header = (name: string): unknown =>
      mail?.parsed.headerLines.find(({ key }) => key === name)?.line;
    expect(header('list-id')).toContain(`<${project.id}.`);
    expect(header('x-svc-project-path')).toBe(`X-Svc-Project-Path: ${project.fullPath}`);
    expect(header('x-svc-notificationreason')).toBe('X-Svc-NotificationReason: alert');
    expect(header('auto-submitted')).toBe('Auto-Submitted: auto-generated');
    expect(header('x-auto-response-suppress')).toBe('X-Auto-Response-Suppress: All');
  });

  it('is not written where mails are off by now', async () => {
    const { project } = await mailingProject();
    await setAlertSettings(app, project, { sendEmail: false });
    await makeReaction(app, await makeAlert(app, project), 'mail_firing');
    expect(await delivered()).toEqual([]);
  });
});

describe('who gets mails about alerts', () => {
  it('are active people with a confirmed address who maintain or own the project', async () => {
    const parent = await makeGroup(app);
    const child = await makeGroup(app, { parentId: parent.id });
    const project = await makeProject(app, { namespaceId: child.id });
    await setAlertSettings(app, project, { sendEmail: true });
    const readers = [await makeUser(app), await makeUser(app), await makeUser(app)];
    const [direct, inherited, twice] = readers as [MadeUser, MadeUser, MadeUser];
    await makeMember(app, { project, user: direct, role: 'maintainer' });
    await makeMember(app, { group: parent, user: inherited, role: 'owner' });
    await makeMember(app, { group: child, user: twice, role: 'maintainer' });
    await makeMember(app, { project, user: twice, role: 'owner' });
    const others: Partial<User>[] = [
      { state: 'blocked' },
      { userType: 'project_bot' },
      { confirmedAt: null },
      { email: 'no address' },
    ];
    for (const attributes of others) {
      const user = await makeUser(app, attributes);
      await makeMember(app, { project, user, role: 'owner' });
    }
    await makeMember(app, { project, user: await makeUser(app), role: 'developer' });
    await makeMember(app, { group: parent, user: await makeUser(app), role: 'developer' });
    const former = { project, user: await makeUser(app), expiresAt: '2020-01-01' };
    await makeMember(app, { ...former, role: 'owner' });
    await makeReaction(app, await makeAlert(app, project), 'mail_firing');
    const recipients = (await delivered()).flatMap(({ to }) => to);
    expect(recipients.sort()).toEqual(readers.map(({ email }) => email).sort());
  });

  it.each([
    [30, ['developer', 'maintainer', 'owner']],
    [40, ['maintainer', 'owner']],
    [50, ['owner']],
  ])('are those from the role %i on that the project chose', async (emailAccessLevel, told) => {
    const group = await makeGroup(app);
    const project = await makeProject(app, { namespaceId: group.id });
    await setAlertSettings(app, project, { sendEmail: true, emailAccessLevel });
    const emails: string[] = [];
    for (const role of ['reporter', 'developer', 'maintainer', 'owner'] as const) {
      const [direct, inherited] = [await makeUser(app), await makeUser(app)];
      await makeMember(app, { project, user: direct, role });
      await makeMember(app, { group, user: inherited, role });
      if (told.includes(role)) emails.push(direct.email, inherited.email);
    }
    await makeReaction(app, await makeAlert(app, project), 'mail_firing');
    expect((await delivered()).flatMap(({ to }) => to).sort()).toEqual(emails.sort());
  });

  it('is the owner of a personal project', async () => {
    const owner = await makeUser(app);
    const project = await makeProject(app, { namespaceId: owner.namespaceId });
    await setAlertSettings(app, project, { sendEmail: true });
    await makeReaction(app, await makeAlert(app, project), 'mail_firing');
    expect((await delivered()).flatMap(({ to }) => to)).toEqual([owner.email]);
  });
});
