import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import request from 'supertest';
import { Alert } from '../../src/alerts/alert.entity.js';
import { UserEmail, type User } from '../../src/identity/users/user.entity.js';
import { Group } from '../../src/workspace/groups/group.entity.js';
import { FailingAddress, OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import { NotificationSetting } from '../../src/notifications/notification-setting.entity.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { NOTIFICATION_LEVELS } from '../../src/workspace/subscriptions/notification-levels.js';
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
import { signedIn } from '../support/page-client.js';
import { startTestWorker } from '../support/worker.js';
import { endEmailWindows, makeReaction, react, waitingReactions } from './reactions.js';

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

const ONE_CLICK = 'List-Unsubscribe=One-Click';

/** Links in the text of an email, then the one of its header if it is another. */
function unsubscribeLinks(mail: ReceivedMail | undefined): string[] {
  const text = mail?.raw.replace(/=\r\n/g, '').replace(/\r\n\s/g, '') ?? '';
  const inText = [...(mail?.parsed.text ?? '').matchAll(/^Unsubscribe: (.*)$/gm)];
  const inHeader = [...text.matchAll(/^List-Unsubscribe: ?<(.*?)>/gim)];
  return [...new Set([...inText, ...inHeader].map(([, link]) => String(link)))];
}

/** A project that emails its alerts, and its only maintainer. */
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

/** Sends all that is due at the end of everyone's window. */
async function delivered(): Promise<ReceivedMail[]> {
  await endEmailWindows(app);
  return deliveredWithin();
}

/** Sends what is due before the end of a window. */
async function deliveredWithin(): Promise<ReceivedMail[]> {
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
      description: 'Only 2 % left.\r\nDelete <old> backups.',
      query: 'disk_free < 5',
      runbook: 'https://example.com/runbooks/disk',
      environmentId: environment.id,
    });
    await makeReaction(app, alert, 'mail_firing');
    const [mail, ...more] = await delivered();
    expect(more).toEqual([]);
    expect(mail?.to).toEqual([maintainer.email]);
    const name = `Name of ${project.fullPath.split('/')[0]} / ${project.name}`;
    const title = 'Disk full Bcc: all@example.com <b>';
    expect(mail?.parsed.subject).toBe(`[High] ${title} – ${project.name} (production)`);
    const page = `${app.url}/${project.fullPath}/-/alert_management/${alert.iid}`;
    const [link] = unsubscribeLinks(mail);
    expect(mail?.parsed.text?.trim()).toBe(
      [
        `${name} · Alert #${alert.iid}`,
        title,
        `New alert in ${name}.`,
        [
          'Severity: High',
          'Environment: production',
          'Service: db',
          'Hosts: web01, web02',
          'Monitoring tool: Datadog',
          'Started: 2026-03-01 10:00:00 UTC',
          'Events: 1',
          'Runbook: https://example.com/runbooks/disk',
        ].join('\n'),
        'Only 2 % left.\nDelete <old> backups.',
        'Query:\ndisk_free < 5',
        `View alert:\n${page}/details`,
        `Acknowledge:\n${page}/acknowledge`,
        `-- \nYou're receiving this because you're a maintainer of ${name}.\nUnsubscribe: ${link}` +
          `\nNotification settings: ${app.url}/-/profile/notifications\nGuildhall, ${app.url}`,
      ].join('\n\n'),
    );
    expect(mail?.parsed.html).toContain('Delete &lt;old> backups.');
    expect(mail?.parsed.html).toContain('all@example.com &lt;b>');
  });

  it('leads to a page that acknowledges the alert by its button only', async () => {
    const { project, maintainer } = await mailingProject();
    const alert = await makeAlert(app, project, { title: 'Disk <b>full' });
    const base = `/${project.fullPath}/-/alert_management/${alert.iid}`;
    const pages = await signedIn(app, maintainer);
    const { text } = await pages.get(`${base}/acknowledge`).expect(200);
    expect(text).toContain('Disk &lt;b>full');
    expect(text).toContain(`action="${base}/status"`);
    const statusOf = async (): Promise<number> =>
      (await app.dataSource.manager.findOneByOrFail(Alert, { id: alert.id })).status;
    expect(await statusOf()).toBe(0);
    await pages.post(`${base}/status`, { status: 'acknowledged' }).expect(303);
    expect(await statusOf()).toBe(1);
    const again = await pages.get(`${base}/acknowledge`).expect(200);
    expect(again.text).toContain('This alert is already acknowledged.');
    await request(app.url).get(`${base}/acknowledge`).expect(302);
    const stranger = await signedIn(app, await makeUser(app));
    await stranger.get(`${base}/acknowledge`).expect(404);
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
    expect(mail?.parsed.subject).toBe(`[Recovered] Disk full – ${project.name}`);
    expect(mail?.parsed.text).toContain('Alert recovered in ');
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

  it('counts the events since the last email', async () => {
    const { project } = await mailingProject();
    const alert = await makeAlert(app, project, { eventCount: 13 });
    for (let count = 0; count < 6; count += 1) {
      await makeReaction(app, alert, { kind: 'mail_firing', events: count === 0 ? 7 : 1 });
    }
    const [mail, ...more] = await delivered();
    expect(more).toEqual([]);
    expect(mail?.parsed.text).toContain('Alert still firing in ');
    expect(mail?.parsed.text).toContain('12 new events since the last email');
  });

  it('has the headers of notification emails', async () => {
    const { project } = await mailingProject();
    const alert = await makeAlert(app, project);
    await makeReaction(app, alert, 'mail_firing');
    const [mail] = await delivered();
    const header = (name: string): unknown =>
      mail?.parsed.headerLines.find(({ key }) => key === name)?.line;
    expect(header('list-id')).toContain(`<${project.id}.`);
    expect(header('x-svc-project-path')).toBe(`X-Svc-Project-Path: ${project.fullPath}`);
    expect(header('x-svc-notificationreason')).toBe('X-Svc-NotificationReason: alert');
    expect(header('x-svc-alert-id')).toBe(`X-Svc-Alert-ID: ${alert.id}`);
    expect(header('x-svc-alert-iid')).toBe(`X-Svc-Alert-IID: ${alert.iid}`);
    expect(header('x-svc-alert-status')).toBe('X-Svc-Alert-Status: triggered');
    expect(header('x-svc-reply-key')).toMatch(/: [0-9a-f]{32}$/);
    expect(header('reply-to')).toBeDefined();
    expect(header('auto-submitted')).toBe('Auto-Submitted: auto-generated');
    expect(header('x-auto-response-suppress')).toBe('X-Auto-Response-Suppress: All');
    expect(mail?.parsed.inReplyTo).toBe(`<alert_${alert.id}@${new URL(app.url).hostname}>`);
  });

  it('is not written where mails are off by now', async () => {
    const { project } = await mailingProject();
    await setAlertSettings(app, project, { sendEmail: false });
    await makeReaction(app, await makeAlert(app, project), 'mail_firing');
    expect(await delivered()).toEqual([]);
  });
});

describe('a burst of alerts', () => {
  it('of 240 for 4 people is an email at once and a digest for each', async () => {
    const { project, maintainer } = await mailingProject();
    const readers = [maintainer, await makeUser(app), await makeUser(app), await makeUser(app)];
    for (const user of readers.slice(1)) {
      await makeMember(app, { project, user, role: 'maintainer' });
    }
    const fire = async (count: number): Promise<void> => {
      for (let made = 0; made < count; made += 1) {
        await makeReaction(app, await makeAlert(app, project), 'mail_firing');
      }
    };
    await fire(1);
    expect(await deliveredWithin()).toHaveLength(4);
    await fire(239);
    expect(await deliveredWithin()).toHaveLength(4);
    const mails = (await delivered()).slice(4);
    expect(mails.flatMap(({ to }) => to).sort()).toEqual(readers.map(({ email }) => email).sort());
    for (const { parsed } of mails) {
      expect(parsed.subject).toBe(`[Critical] 239 alerts firing – ${project.name}`);
      expect(parsed.text?.match(/^Critical: .* \(#\d+\)$/gm)).toHaveLength(50);
      expect(parsed.text).toContain('189 more alerts');
      // Gmail clips longer ones.
      expect(String(parsed.html).length).toBeLessThan(102_400);
      expect(parsed.text).toContain(`${app.url}/${project.fullPath}/-/alert_management`);
    }
    expect(await delivered()).toHaveLength(8);
  });

  it('lists what fires and what has recovered, without what was taken up meanwhile', async () => {
    const { project } = await mailingProject();
    await makeReaction(app, await makeAlert(app, project), 'mail_firing');
    await deliveredWithin();
    const [low, high, gone, taken] = [
      await makeAlert(app, project, { title: 'Slow', severity: 3 }),
      await makeAlert(app, project, { title: 'Down', severity: 1 }),
      await makeAlert(app, project, { title: 'Full', status: 2 }),
      await makeAlert(app, project, { title: 'Taken' }),
    ];
    for (const alert of [low, high, high, taken]) await makeReaction(app, alert, 'mail_firing');
    await makeReaction(app, gone, 'mail_recovery');
    expect(await deliveredWithin()).toHaveLength(1);
    await app.dataSource.manager.update(Alert, { id: taken.id }, { status: 1 });
    const [, mail] = await delivered();
    expect(mail?.parsed.subject).toBe(`[High] 2 alerts firing, 1 recovered – ${project.name}`);
    expect(mail?.parsed.text?.match(/^.*: .* \(#.*\)$/gm)).toEqual([
      `High: Down (#${high.iid}, 2 events)`,
      `Low: Slow (#${low.iid})`,
      `Recovered: Full (#${gone.iid})`,
    ]);
  });

  it('in several projects is one digest with a link to stop each', async () => {
    const { project, maintainer } = await mailingProject();
    const { id: namespaceId } = await makeGroup(app);
    const other = await makeProject(app, { namespaceId });
    await setAlertSettings(app, other, { sendEmail: true });
    await makeMember(app, { project: other, user: maintainer, role: 'owner' });
    for (const place of [project, other]) {
      await makeReaction(app, await makeAlert(app, place), 'mail_firing');
    }
    const [mail, ...more] = await delivered();
    expect(more).toEqual([]);
    expect(mail?.parsed.subject).toBe('[Critical] 2 alerts firing – 2 projects');
    for (const { name, fullPath } of [project, other]) {
      expect(mail?.parsed.text).toMatch(new RegExp(`^Critical: .* \\(${name} #\\d+\\)$`, 'm'));
      expect(mail?.parsed.text).toContain(`${app.url}/${fullPath}/-/alert_management`);
    }
    const links = unsubscribeLinks(mail);
    expect(links).toHaveLength(3);
    await request(String(links[2])).post('').type('form').send(ONE_CLICK).expect(200);
    for (const place of [project, other]) {
      await makeReaction(app, await makeAlert(app, place), 'mail_firing');
    }
    expect(await delivered()).toHaveLength(1);
  });
});

describe('unsubscribing from the alert emails of a project', () => {
  it('takes one click, and the notification settings turn them back on', async () => {
    const { project, maintainer } = await mailingProject();
    const fire = async (): Promise<void> =>
      makeReaction(app, await makeAlert(app, project), 'mail_firing');
    await fire();
    const [mail] = await delivered();
    const header = (name: string): string | undefined =>
      mail?.parsed.headerLines.find(({ key }) => key === name)?.line;
    expect(header('list-unsubscribe-post')).toBe(
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    );
    const [link] = unsubscribeLinks(mail);
    expect(header('list-unsubscribe')?.replace(/\s/g, '')).toBe(`List-Unsubscribe:<${link}>`);

    const question = await request(String(link)).get('').expect(200);
    expect(question.text).toContain('Stop emails about alerts in this project?');
    await fire();
    expect(await delivered()).toHaveLength(2);

    const answer = await request(String(link)).post('').type('form').send(ONE_CLICK).expect(200);
    const settingPath = `/-/profile/notifications/projects/${project.id}`;
    expect(answer.text).toContain(`href="${settingPath}"`);
    await fire();
    expect(await delivered()).toHaveLength(2);

    const pages = await signedIn(app, maintainer);
    const box = /<input[^>]*type="checkbox"[^>]*name="alert_emails"[^>]*>/;
    const off = await pages.get(settingPath).expect(200);
    expect(box.exec(off.text)?.[0]).not.toContain('checked');
    await pages.post(settingPath, { level: 'global', alert_emails: 'true' }).expect(303);
    const on = await pages.get(settingPath).expect(200);
    expect(box.exec(on.text)?.[0]).toContain('checked');
    await fire();
    expect(await delivered()).toHaveLength(3);
  });

  it('ends what waits for the next digest, and leaves other notifications as they are', async () => {
    const { project, maintainer } = await mailingProject();
    for (let count = 0; count < 2; count += 1) {
      await makeReaction(app, await makeAlert(app, project), 'mail_firing');
      await deliveredWithin();
    }
    const [link] = unsubscribeLinks(server.received[0]);
    await request(String(link)).post('').type('form').send(ONE_CLICK).expect(200);
    expect(await delivered()).toHaveLength(1);
    const row = { projectId: project.id, userId: maintainer.id };
    const setting = await app.dataSource.manager.findOneBy(NotificationSetting, row);
    expect(setting).toMatchObject({ level: NOTIFICATION_LEVELS.global, alertEmails: false });
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

  it('get them at the notification email of the nearest group, else of all settings', async () => {
    const { project, maintainer } = await mailingProject();
    const { manager } = app.dataSource;
    const { namespaceId } = await manager.findOneByOrFail(Project, { id: project.id });
    const other = await makeProject(app, { namespaceId: (await makeGroup(app)).id });
    await makeMember(app, { project: other, user: maintainer, role: 'maintainer' });
    await setAlertSettings(app, other, { sendEmail: true });
    const userId = maintainer.id;
    const [pager, work, unconfirmed] = ['pager', 'work', 'new'].map((name) => {
      return `${name}-${maintainer.email}`;
    }) as [string, string, string];
    const confirmedAt = new Date();
    await manager.insert(UserEmail, [
      { userId, email: pager, confirmedAt },
      { userId, email: work, confirmedAt },
      { userId, email: unconfirmed },
    ]);
    await manager.insert(NotificationSetting, [
      { userId, email: work },
      { userId, namespaceId, email: pager },
    ]);
    for (const there of [project, project, other]) {
      await makeReaction(app, await makeAlert(app, there), 'mail_firing');
    }
    expect((await delivered()).flatMap(({ to }) => to).sort()).toEqual([pager, work].sort());

    server.received.length = 0;
    await manager.update(NotificationSetting, { userId, email: work }, { email: unconfirmed });
    await makeReaction(app, await makeAlert(app, other), 'mail_firing');
    expect((await delivered()).flatMap(({ to }) => to)).toEqual([maintainer.email]);
  });

  it('are not those whose address refuses emails, nor anyone where a group turned emails off', async () => {
    const [{ project, maintainer }, silent] = [await mailingProject(), await mailingProject()];
    const { manager } = app.dataSource;
    const { namespaceId } = await manager.findOneByOrFail(Project, { id: silent.project.id });
    await manager.update(Group, { id: namespaceId }, { emailsEnabled: false });
    const failing = { address: maintainer.email.toLowerCase(), permanent: 5, since: new Date() };
    await manager.insert(FailingAddress, failing);
    for (const there of [project, silent.project]) {
      await makeReaction(app, await makeAlert(app, there), 'mail_firing');
    }
    expect(await delivered()).toEqual([]);
  });
});
