import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NotificationSetting } from '../../src/notifications/notification-setting.entity.js';
import { OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import { NOTIFICATION_LEVELS } from '../../src/workspace/subscriptions/notification-levels.js';
import { type MailServer, type ReceivedMail, startMailServer } from '../mail/mail-server.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, type MadeActor, unique } from '../support/factories.js';
import { createIssue } from '../support/issue-factories.js';
import { makeNotification, makeNotificationMail } from '../support/notification-factories.js';
import {
  type MadeProject,
  makeMember,
  makeOwnedGroup,
  makeProject,
} from '../support/project-factories.js';
import { startTestWorker } from '../support/worker.js';

/** Ends a header, a line of a log and an address wherever it is not cleaned. */
const EVIL = 'Nice\r\nBcc: victim@example.com\r\n\r\nbody\u2028X-Evil: 1\u2029\u0085X-Evil: 2';

describe('a mail about a notification', () => {
  let app: OwnTestApp;
  let server: MailServer;
  let worker: INestApplicationContext | undefined;
  let ann: MadeActor;
  let bob: MadeActor;
  let project: MadeProject;
  beforeAll(async () => {
    app = await startTestApp({
      env: {
        BASE_URL: 'https://guildhall.example',
        MAIL_FROM: 'Guildhall <noreply@guildhall.example>',
      },
    });
    ann = await makeActor(app, { name: 'Jane Roe' });
    bob = await makeActor(app, { name: 'Bob Builder' });
    const group = await makeOwnedGroup(app, ann, { name: 'Town' });
    project = await makeProject(app, { namespaceId: group.id, name: 'Hall' });
    await makeMember(app, { project, user: bob.user, role: 'reporter' });
    await watch(bob, project);
  });
  beforeEach(async () => {
    server = await startMailServer();
    worker = await startTestWorker(app, { smtpUrl: server.url });
  });
  afterEach(async () => {
    await worker?.close();
    worker = undefined;
    await app.dataSource.manager.deleteAll(OutgoingMail);
    await server.close();
  });
  afterAll(() => app.close());

  async function watch({ user }: MadeActor, { id: projectId }: { id: number }): Promise<void> {
    const level = NOTIFICATION_LEVELS.watch;
    await app.dataSource.manager.insert(NotificationSetting, { userId: user.id, projectId, level });
  }
  const mailsTo = (email: string, count: number): Promise<ReceivedMail[]> =>
    eventually(
      () => {
        const mails = server.received.filter(({ to }) => to.includes(email));
        expect(mails).toHaveLength(count);
        return mails;
      },
      { seconds: 30 },
    );
  const header = ({ raw }: ReceivedMail): string => raw.split('\r\n\r\n')[0] ?? '';
  /** Names as they were sent in lower case, values unfolded. */
  const headers = (mail: ReceivedMail): Record<string, string> =>
    Object.fromEntries(
      header(mail)
        .replace(/\r\n[ \t]+/g, ' ')
        .split('\r\n')
        .map((line) => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
        }),
    );

  it('begins a thread with a new issue and answers it with a comment', async () => {
    const issue = await createIssue(ann.api, project, {
      title: 'The door',
      description: 'It **sticks**.',
    });
    const [first] = await mailsTo(bob.user.email, 1);
    const path = `/projects/${project.id}/issues/${issue.iid}/notes`;
    const note = await ann.api.post(path, { body: 'Still does.' });
    const noteId = (note.body as { id: number }).id;
    const [, second] = await mailsTo(bob.user.email, 2);
    const subject = `Hall | The door (#${issue.iid})`;
    const root = `<issue_${issue.id}@guildhall.example>`;
    const groupPath = project.fullPath.slice(0, project.fullPath.lastIndexOf('/'));
    const list = `${project.fullPath} <${project.id}.${project.path}.${groupPath}.guildhall.example>`;
    const link = /^<https:\/\/guildhall\.example\/-\/sent_notifications\/[\w.-]+\/unsubscribe>$/;
    expect(headers(first as ReceivedMail)).toEqual({
      from: `"Jane Roe (@${ann.user.username})" <noreply@guildhall.example>`,
      to: bob.user.email,
      'reply-to': 'Guildhall <noreply@guildhall.example>',
      subject,
      date: expect.any(String),
      'message-id': root,
      'list-id': list,
      'list-unsubscribe': expect.stringMatching(link),
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'x-svc-project': 'Hall',
      'x-svc-project-id': String(project.id),
      'x-svc-project-path': project.fullPath,
      'x-svc-issue-id': String(issue.id),
      'x-svc-issue-iid': String(issue.iid),
      'x-svc-issue-state': 'opened',
      'x-svc-confidentialissue': 'false',
      'x-svc-reply-key': expect.stringMatching(/^[0-9a-f]{32}$/),
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'All',
      'mime-version': '1.0',
      'content-type': expect.stringContaining('multipart/alternative'),
    });
    expect(headers(second as ReceivedMail)).toMatchObject({
      subject: `Re: ${subject}`,
      'message-id': `<note_${noteId}@guildhall.example>`,
      'in-reply-to': root,
      references: root,
    });
    expect(second?.parsed.text).toContain(`\n\nJane Roe commented:\n\nStill does.\n\n`);
    expect(second?.parsed.text).toContain(`/-/issues/${issue.iid}#note_${noteId}\n`);
  });

  it('says the same as text and as HTML, and why its reader gets it', async () => {
    const description = 'It **sticks**, see [this](/docs).\n\n- [ ] plane it\n\n<script>x</script>';
    const issue = await createIssue(ann.api, project, { title: 'A <b>door</b>', description });
    const [mail] = await mailsTo(bob.user.email, 1);
    const key = /sent_notifications\/([^/]+)\//.exec(header(mail as ReceivedMail))?.[1];
    const page = `https://guildhall.example/${project.fullPath}/-/issues/${issue.iid}`;
    expect(mail?.parsed.text).toBe(
      [
        `Town / Hall · Issue #${issue.iid}`,
        'A <b>door</b>',
        'Jane Roe opened an issue.',
        description,
        `View issue:\n${page}`,
        "-- \nYou're receiving this because your notification level for this project is Watch.",
      ].join('\n\n') +
        `\nUnsubscribe from this issue: https://guildhall.example/-/sent_notifications/${key}/unsubscribe` +
        '\nNotification settings: https://guildhall.example/-/profile/notifications' +
        '\nGuildhall, https://guildhall.example\n',
    );
    const html = String(mail?.parsed.html);
    expect(html).toContain(
      '<p>It <strong>sticks</strong>, see <a href="https://guildhall.example/docs"',
    );
    expect(html).toContain('☐ plane it');
    expect(html).toContain('>A &lt;b>door&lt;/b></h1>');
    expect(html).not.toContain('<script');
    expect(html).toContain(`/-/sent_notifications/${key}/unsubscribe"`);
  });

  it('has no header injected by a name or a title', async () => {
    const eve = await makeActor(app, { name: EVIL });
    const group = await makeOwnedGroup(app, eve, { name: EVIL });
    const place = await makeProject(app, { namespaceId: group.id, name: EVIL });
    await makeMember(app, { project: place, user: bob.user, role: 'reporter' });
    const { id } = await createIssue(eve.api, place, { title: 'x' });
    await app.dataSource.query('UPDATE issues SET title = $2 WHERE id = $1', [id, EVIL]);
    const target = { type: 'issue', id } as const;
    const notification = {
      kind: 'close_issue',
      projectId: place.id,
      actorId: eve.user.id,
    } as const;
    const notificationId = await makeNotification(app, { ...notification, target });
    await makeNotificationMail(app, { kind: 'close_issue', notificationId, user: bob.user });
    const [mail] = await mailsTo(bob.user.email, 1);
    expect(mail?.to).toEqual([bob.user.email]);
    const clean = 'Nice Bcc: victim@example.com body X-Evil: 1 X-Evil: 2';
    expect(mail?.parsed.subject).toBe(`Re: ${clean} | ${clean} (#1)`);
    expect(mail?.parsed.from?.value[0]).toMatchObject({
      address: 'noreply@guildhall.example',
      name: `${clean} (@${eve.user.username})`,
    });
    expect(header(mail as ReceivedMail)).not.toMatch(/^(bcc|x-evil):/im);
    expect(mail?.parsed.text).toContain(`\n\n${clean} closed this issue.\n\n`);
    expect(mail?.parsed.text?.split('\n')[2]).toBe(clean);
  });

  it('has no header injected by a branch name', async () => {
    const [{ id = 0 } = {}]: { id?: number }[] = await app.dataSource.query(
      `INSERT INTO pipelines (project_id, ref, sha, status, user_id)
       VALUES ($1, $2, $3, 'failed', $4) RETURNING id`,
      [project.id, EVIL, 'a'.repeat(40), bob.user.id],
    );
    const target = { type: 'pipeline', id } as const;
    const notification = { kind: 'failed_pipeline', projectId: project.id, actorId: null } as const;
    const notificationId = await makeNotification(app, { ...notification, target });
    await makeNotificationMail(app, { kind: 'failed_pipeline', notificationId, user: bob.user });
    const [mail] = await mailsTo(bob.user.email, 1);
    const clean = 'Nice Bcc: victim@example.com body X-Evil: 1 X-Evil: 2';
    expect(mail?.parsed.subject).toBe(`Hall | Failed pipeline for ${clean} (aaaaaaaa)`);
    expect(mail?.parsed.headers.get('x-svc-pipeline-ref')).toBe(clean);
    expect(mail?.parsed.from?.text).toBe('"Guildhall" <noreply@guildhall.example>');
    expect(header(mail as ReceivedMail)).not.toMatch(/^(bcc|x-evil):/im);
  });

  it('is withheld when its reader may not see the issue anymore', async () => {
    const reader = await makeActor(app);
    const issue = await createIssue(ann.api, project, { title: unique('secret') });
    const target = { type: 'issue', id: issue.id } as const;
    const notification = {
      kind: 'close_issue',
      projectId: project.id,
      actorId: ann.user.id,
    } as const;
    const notificationId = await makeNotification(app, { ...notification, target });
    const id = await makeNotificationMail(app, {
      kind: 'close_issue',
      notificationId,
      user: reader.user,
    });
    await eventually(
      async () => {
        const row = await app.dataSource.manager.findOneByOrFail(OutgoingMail, { id });
        expect(row.state).toBe('withheld');
      },
      { seconds: 30 },
    );
    expect(server.received.filter(({ to }) => to.includes(reader.user.email))).toEqual([]);
  });
});
