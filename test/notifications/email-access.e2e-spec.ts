import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import type { NewNotification } from '../../src/core/activity/notifications.repository.js';
import {
  NotificationEmails,
  type RenderedEmail,
} from '../../src/core/mail/notification-emails.service.js';
import { NotificationSetting } from '../../src/notifications/notification-setting.entity.js';
import { MAIL_REASONS, type MailReason } from '../../src/notifications/notification-values.js';
import { NOTIFICATION_LEVELS } from '../../src/workspace/subscriptions/notification-levels.js';
import { Subscription } from '../../src/workspace/subscriptions/subscriptions.repository.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { createIssue, type IssueBody } from '../support/issue-factories.js';
import { makeNotification } from '../support/notification-factories.js';
import {
  type MadeProject,
  makeMember,
  makeOwnedGroup,
  makeProject,
} from '../support/project-factories.js';
import { startTestWorker } from '../support/worker.js';

describe('the mail about a comment is written', () => {
  let app: OwnTestApp;
  let worker: INestApplicationContext;
  let ann: MadeActor;
  let bob: MadeActor;
  let project: MadeProject;
  let issue: IssueBody;
  let noteId: number;
  beforeAll(async () => {
    app = await startTestApp();
    worker = await startTestWorker(app);
    ann = await makeActor(app);
  });
  beforeEach(async () => {
    bob = await makeActor(app);
    const group = await makeOwnedGroup(app, ann);
    project = await makeProject(app, { namespaceId: group.id });
    await makeMember(app, { project, user: bob.user, role: 'guest' });
    issue = await createIssue(ann.api, project);
    const path = `/projects/${project.id}/issues/${issue.iid}/notes`;
    const { body } = await ann.api.post(path, { body: 'Look.' });
    noteId = (body as { id: number }).id;
  });
  afterAll(async () => {
    await worker.close();
    await app.close();
  });

  const sql = (text: string, ...values: unknown[]): Promise<unknown> =>
    app.dataSource.query(text, values);

  async function written(
    reason: MailReason | null = null,
    notification: Partial<NewNotification> = {},
  ): Promise<RenderedEmail | null | undefined> {
    const target = { type: 'issue', id: issue.id } as const;
    const base = { projectId: project.id, actorId: ann.user.id, target };
    const notificationId = await makeNotification(app, {
      kind: 'new_note',
      ...base,
      noteId,
      ...notification,
    });
    const mail = { id: 7, notificationId, userId: bob.user.id };
    const number = reason === null ? null : MAIL_REASONS[reason];
    return (await worker.get(NotificationEmails).write([{ ...mail, reason: number }])).get(7);
  }

  it('for a Guest of a private project, to the address they have now', async () => {
    expect(await written()).toMatchObject({ to: bob.user.email });
    await sql('UPDATE users SET email = $2 WHERE id = $1', bob.user.id, `new-${bob.user.email}`);
    expect(await written()).toMatchObject({ to: `new-${bob.user.email}` });
  });

  it.each<[string, (id: number) => Promise<unknown>]>([
    ['blocked', (id) => sql(`UPDATE users SET state = 'blocked' WHERE id = $1`, id)],
    ['not confirmed', (id) => sql('UPDATE users SET confirmed_at = NULL WHERE id = $1', id)],
    ['no member anymore', (id) => sql('DELETE FROM members WHERE user_id = $1', id)],
    [
      'a member until yesterday',
      (id) => sql('UPDATE members SET expires_at = current_date - 1 WHERE user_id = $1', id),
    ],
    [
      'without a mailbox',
      (id) =>
        sql(
          `INSERT INTO failing_addresses (address, permanent, since)
           SELECT lower(email), 5, now() FROM users WHERE id = $1`,
          id,
        ),
    ],
  ])('for no one who is %s', async (_, change) => {
    await change(bob.user.id);
    expect(await written('mentioned')).toBeUndefined();
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'the issue is confidential',
      () => sql('UPDATE issues SET confidential = true WHERE id = $1', issue.id),
    ],
    ['the note is internal', () => sql('UPDATE notes SET internal = true WHERE id = $1', noteId)],
    ['the note is gone', () => sql('DELETE FROM notes WHERE id = $1', noteId)],
    [
      'issues are off',
      () => sql('UPDATE projects SET issues_enabled = false WHERE id = $1', project.id),
    ],
    [
      'mails are off',
      () => sql('UPDATE projects SET emails_enabled = false WHERE id = $1', project.id),
    ],
    [
      'mails of the group are off',
      () => sql('UPDATE groups SET emails_enabled = false WHERE id = $1', project.namespaceId),
    ],
    [
      'the project is being deleted',
      () => sql('UPDATE projects SET pending_delete = true WHERE id = $1', project.id),
    ],
  ])('for no Guest when %s since', async (_, change) => {
    await change();
    expect(await written('mentioned')).toBeUndefined();
  });

  it('for the assignee of a confidential issue', async () => {
    await sql('UPDATE issues SET confidential = true WHERE id = $1', issue.id);
    await sql(
      'INSERT INTO issue_assignees (issue_id, user_id) VALUES ($1, $2)',
      issue.id,
      bob.user.id,
    );
    const { email } = (await written('assigned')) ?? {};
    expect(email?.headers).toMatchObject({ 'X-Svc-ConfidentialIssue': 'true' });
  });

  it('who unsubscribed from a thread only when mentioned', async () => {
    const thread = { userId: bob.user.id, issueId: issue.id };
    await app.dataSource.manager.insert(Subscription, { ...thread, subscribed: false });
    expect(await written()).toBeUndefined();
    expect(await written('assigned')).toBeUndefined();
    expect(await written('mentioned')).toBeDefined();
    const details = { added: [bob.user.id] };
    expect(await written('assigned', { kind: 'reassign_issue', details })).toBeDefined();
  });

  it('with emails disabled only when they subscribed', async () => {
    const level = NOTIFICATION_LEVELS.disabled;
    const setting = { userId: bob.user.id, projectId: project.id, level };
    await app.dataSource.manager.insert(NotificationSetting, setting);
    expect(await written()).toBeUndefined();
    expect(await written('subscribed')).toBeDefined();
  });

  it('with the reason in its header and its last lines', async () => {
    const { email } = (await written('subscribed')) ?? {};
    expect(email?.headers).toMatchObject({ 'X-Svc-NotificationReason': 'subscribed' });
    expect(email?.text).toContain(
      "You're receiving this because you're subscribed to this issue.\n",
    );
  });

  it('for many readers at once, each with a link of their own', async () => {
    const gus = await makeActor(app);
    await makeMember(app, { project, user: gus.user, role: 'guest' });
    const out = await makeActor(app);
    const target = { type: 'issue', id: issue.id } as const;
    const notification = { projectId: project.id, actorId: ann.user.id, target };
    const ids = [
      await makeNotification(app, { ...notification, kind: 'close_issue' }),
      await makeNotification(app, { ...notification, kind: 'new_note', noteId }),
    ];
    const users = [bob.user, gus.user, out.user];
    const mails = ids.flatMap((notificationId, round) =>
      users.map(({ id }, at) => ({
        id: round * 10 + at,
        notificationId,
        userId: id,
        reason: null,
      })),
    );
    const emails = await worker.get(NotificationEmails).write(mails);
    expect([...emails.keys()].sort((a, b) => a - b)).toEqual([0, 1, 10, 11]);
    const of = (id: number): string => emails.get(id)?.email.headers?.['List-Unsubscribe'] ?? '';
    expect(of(0)).toBe(of(10));
    expect(of(0)).not.toBe(of(1));
    expect(emails.get(0)?.email.messageId).toBe(emails.get(1)?.email.messageId);
    expect(emails.get(0)?.email.messageId).toMatch(/^<[0-9a-f]{32}@127\.0\.0\.1>$/);
  });
});
