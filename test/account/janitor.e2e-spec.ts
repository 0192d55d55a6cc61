import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { credentialDigest } from '../../src/core/secrets.js';
import { AccountJanitor } from '../../src/identity/account/account-janitor.service.js';
import { MailLink, MailLinksRepository } from '../../src/identity/account/mail-links.repository.js';
import { Clock } from '../../src/core/clock.js';
import { InstanceSettings } from '../../src/core/settings/instance-settings.service.js';
import {
  Session,
  SessionsRepository,
} from '../../src/identity/auth/sessions/sessions.repository.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeUser, unique } from '../support/factories.js';
import { makeSession } from '../support/page-client.js';

const DAY_MS = 86_400_000;

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

it('forgets sessions and links that have ended, and no others', async () => {
  const user = await makeUser(app);
  const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);
  const kept = [
    await makeSession(app, user),
    await makeSession(app, user, { lastSeenAt: ago(6) }),
    await makeSession(app, user, { lastSeenAt: ago(10), remembered: true }),
  ];
  await makeSession(app, user, { expiresAt: ago(1) });
  await makeSession(app, user, { lastSeenAt: ago(8) });
  await makeSession(app, user, { lastSeenAt: ago(15), remembered: true });
  const link = { purpose: 'confirm_email', userId: user.id, email: user.email } as const;
  const [living, ended] = [unique('link'), unique('link')].map(credentialDigest);
  const { manager } = app.dataSource;
  await manager.insert(MailLink, [
    { ...link, digest: living, expiresAt: ago(-1) },
    { ...link, digest: ended, expiresAt: ago(1) },
  ]);

  const [sessionRows, links] = [app.app.get(SessionsRepository), app.app.get(MailLinksRepository)];
  const settings = app.app.get(InstanceSettings);
  await new AccountJanitor(sessionRows, links, new Clock(), settings).run();

  const sessions = await manager.find(Session, { order: { id: 'ASC' } });
  expect(sessions.map(({ digest }) => digest)).toEqual(kept.map(credentialDigest));
  expect((await manager.find(MailLink)).map(({ digest }) => digest)).toEqual([living]);
});
