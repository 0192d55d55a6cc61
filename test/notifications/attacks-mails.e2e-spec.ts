import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { type MailServer, startMailServer } from '../mail/mail-server.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { createIssue } from '../support/issue-factories.js';
import { makeNotification, makeNotificationMail } from '../support/notification-factories.js';
import { type MadeProject, makeMember, makeProject } from '../support/project-factories.js';
import { startTestWorker } from '../support/worker.js';

/** As long as a text may be to be rendered, and slow to render. */
const SLOW = '- a\n'.repeat(4_990);
const COMMENTS = 150;

describe('mails about texts that take long to render', () => {
  let app: OwnTestApp;
  let server: MailServer;
  let worker: INestApplicationContext;
  let eve: MadeActor;
  let bob: MadeActor;
  let project: MadeProject;
  beforeAll(async () => {
    app = await startTestApp();
    eve = await makeActor(app);
    bob = await makeActor(app);
    project = await makeProject(app, { namespaceId: bob.user.namespaceId });
    await makeMember(app, { project, user: eve.user, role: 'reporter' });
    server = await startMailServer();
  });
  afterAll(async () => {
    await worker.close();
    await server.close();
    await app.close();
  });

  it('are all sent, and so is the mail that waits behind them', async () => {
    const issue = await createIssue(eve.api, project);
    const notes: { id: number }[] = await app.dataSource.query(
      `INSERT INTO notes (issue_id, author_id, body)
       SELECT $1, $2, $3 FROM generate_series(1, $4) RETURNING id`,
      [issue.id, eve.user.id, SLOW, COMMENTS],
    );
    const target = { type: 'issue', id: issue.id } as const;
    const base = { projectId: project.id, actorId: eve.user.id, target };
    for (const { id } of notes) {
      const notificationId = await makeNotification(app, { ...base, kind: 'new_note', noteId: id });
      await makeNotificationMail(app, { kind: 'new_note', notificationId, user: bob.user });
    }
    const notificationId = await makeNotification(app, { ...base, kind: 'close_issue' });
    await makeNotificationMail(app, { kind: 'close_issue', notificationId, user: bob.user });
    worker = await startTestWorker(app, { smtpUrl: server.url });
    await eventually(
      () => expect(new Set(server.received.map(({ raw }) => raw)).size).toBe(COMMENTS + 1),
      { seconds: 80 },
    );
    expect(server.received).toHaveLength(COMMENTS + 1);
  }, 100_000);
});
