import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { AccountsRepository } from '../../src/identity/auth/accounts.repository.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { makeActor, makeAdmin, makeToken, makeUser, type MadeActor } from '../support/factories.js';
import { ProbeModule } from './probe.module.js';

let app: OwnTestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await startTestApp({ imports: [ProbeModule] });
  admin = await makeAdmin(app);
});
afterAll(() => app.close());

describe('sudo', () => {
  it('acts as the user with the id of the parameter', async () => {
    const john = await makeUser(app);
    const { body } = await admin.api.get(`/probe/rows?sudo=${john.id}`).expect(200);
    expect(body).toEqual({ viewer: john.id, impersonator: admin.user.id });
  });

  it('acts as the user of the header, case-insensitively', async () => {
    const john = await makeUser(app, { username: 'john' });
    const { body } = await admin.api.get('/probe/rows').set('Sudo', 'JoHn').expect(200);
    expect(body).toEqual({ viewer: john.id, impersonator: admin.user.id });
  });

  it('takes a number in a JSON body', async () => {
    const john = await makeUser(app);
    const { body } = await admin.api.post('/probe/rows', { sudo: john.id }).expect(201);
    expect(body).toMatchObject({ viewer: john.id });
  });

  it('acts with the avatar of the user', async () => {
    const avatar = 'a'.repeat(64);
    const { id } = await makeUser(app, { avatar });
    expect(await app.app.get(AccountsRepository).findViewerById(id)).toMatchObject({ avatar });
  });

  it('prefers the parameter to the header and counts a blank one as absent', async () => {
    const [first, second] = [await makeUser(app), await makeUser(app)];
    const both = await admin.api.get(`/probe/rows?sudo=${first.id}`).set('Sudo', second.username);
    const blank = await admin.api.get('/probe/rows?sudo=').set('Sudo', ' ');
    expect([both.body, blank.body]).toEqual([
      { viewer: first.id, impersonator: admin.user.id },
      { viewer: admin.user.id, impersonator: null },
    ]);
  });

  it('has the rights of the other user only', async () => {
    const john = await makeUser(app);
    await admin.api.delete(`/probe/rows?sudo=${john.id}`).expect(403);
  });

  it('needs no other scope than sudo, except for acting as oneself', async () => {
    const john = await makeUser(app);
    const token = await makeToken(app, admin.user, { scopes: ['sudo'] });
    await api(app.url, token).post(`/probe/rows?sudo=${john.id}`).expect(201);
    const { body } = await api(app.url, token).get(`/probe/rows?sudo=${admin.user.id}`).expect(403);
    expect(body).toMatchObject({ error: 'insufficient_scope', scope: 'api read_api' });
  });

  it('leaves both ids in the audit log', async () => {
    const deputy = await makeUser(app, { admin: true });
    const target = await makeUser(app);
    await admin.api.post(`/users/${target.id}/block?sudo=${deputy.id}`).expect(201);
    const entry = await app.dataSource
      .getRepository(AuditEvent)
      .findOneByOrFail({ action: 'user_blocked', targetId: target.id });
    expect(entry).toMatchObject({ authorId: deputy.id, impersonatorId: admin.user.id });
  });
});

describe('sudo is refused', () => {
  it('with 401 to anonymous requests', async () => {
    const { body } = await api(app.url).get('/probe/public?sudo=1').expect(401);
    expect(body).toEqual({ message: '401 Unauthorized' });
  });

  it('with 403 to who is no administrator, whatever the token may do', async () => {
    const user = await makeUser(app);
    const token = await makeToken(app, user, { scopes: ['api', 'sudo'] });
    const { body } = await api(app.url, token).get('/probe/rows?sudo=root').expect(403);
    expect(body).toEqual({ message: '403 Forbidden - Must be admin to use sudo' });
  });

  it('with 403 to a token without the scope', async () => {
    const token = await makeToken(app, admin.user, { scopes: ['api'] });
    const { body } = await api(app.url, token).get(`/probe/rows?sudo=${admin.user.id}`).expect(403);
    expect(body).toEqual({
      error: 'insufficient_scope',
      error_description:
        'The request requires higher privileges than provided by the access token.',
      scope: 'sudo',
    });
  });

  it.each(['999999', 'nobody', '99999999999999999999'])(
    'with 404 for the unknown user %s',
    async (target) => {
      const { body } = await admin.api.get(`/probe/rows?sudo=${target}`).expect(404);
      expect(body).toEqual({
        message: `404 User with ID or username '${target}' Not Found`,
      });
    },
  );

  it('with 404 for a user named by digits, which always mean an id', async () => {
    const { user } = await makeActor(app, { username: '777777' });
    await admin.api.get(`/probe/rows?sudo=${user.username}`).expect(404);
  });

  it('with 403 for a user who may not act', async () => {
    const blocked = await makeUser(app, { state: 'blocked' });
    const { body } = await admin.api.get(`/probe/rows?sudo=${blocked.id}`).expect(403);
    expect(body).toEqual({ message: '403 Forbidden - Your account has been blocked.' });
  });

  it('with 400 for a list, instead of acting as the administrator', async () => {
    const { body } = await admin.api.get('/probe/rows?sudo[]=1').expect(400);
    expect(body).toMatchObject({ error: 'sudo is invalid' });
  });
});
