import { beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { approve, authorizePath } from '../support/authorization.js';
import { makeToken, tokenRow, unique } from '../support/factories.js';
import { textOf } from '../support/html.js';
import {
  clientFields,
  makeApplication,
  makeGrant,
  makeOAuthTokens,
  postRefresh,
  postToken,
  type TokenBody,
} from '../support/oauth-factories.js';
import { makeVisitor } from '../support/page-client.js';

const LIST = '/-/user_settings/applications';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

function revokePath({ id }: { id: number }): string {
  return `/oauth/authorized_applications/${id}/revoke`;
}

describe('authorized applications', () => {
  it('are listed once each with all that they may do', async () => {
    const { user, pages } = await makeVisitor(app);
    const application = await makeApplication(app, { name: unique('tool') });
    const other = await makeApplication(app, { name: unique('stranger') });
    const token = { kind: 'oauth', applicationId: application.id } as const;
    await makeToken(app, user, { ...token, scopes: ['read_user'] });
    await makeToken(app, user, { ...token, scopes: ['openid'], expiresAt: new Date(0) });
    await makeToken(app, user, { ...token, scopes: ['api'], revokedAt: new Date() });
    await makeToken(app, (await makeVisitor(app)).user, {
      kind: 'oauth',
      applicationId: other.id,
      scopes: ['api'],
    });
    const { text } = await pages.get(LIST).expect(200);
    expect(text.split(revokePath(application))).toHaveLength(2);
    expect(textOf(text)).toContain('openid read_user');
    expect(text).not.toContain(revokePath(other));
  });

  it('lose codes, access tokens and refresh tokens together when revoked', async () => {
    const { user, pages } = await makeVisitor(app);
    const application = await makeApplication(app);
    const stays = await makeApplication(app);
    const [tokens, kept] = [
      await makeOAuthTokens(app, { application, user }),
      await makeOAuthTokens(app, { application: stays, user }),
    ];
    const code = await makeGrant(app, { application, user });
    const bearer = ({ access_token: token }: TokenBody) =>
      api(app.url).get('/user').set('Authorization', `Bearer ${token}`);
    await bearer(tokens).expect(200);
    await pages.post(revokePath(application)).expect(303).expect('Location', LIST);
    await bearer(tokens).expect(401);
    await postRefresh(app, application, tokens.refresh_token).expect(400);
    await postToken(app, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: application.redirectUri,
      ...clientFields(application),
    }).expect(400);
    await bearer(kept).expect(200);
    const audited = { action: 'oauth_application_authorization_revoked', authorId: user.id };
    const entry = await app.dataSource.manager.findOneByOrFail(AuditEvent, audited);
    expect(entry).toMatchObject({
      targetId: application.id,
      entityType: 'User',
      entityId: user.id,
    });
    await pages.post(revokePath(application)).expect(404);
  });

  it('lose nothing by what others revoke', async () => {
    const { user } = await makeVisitor(app);
    const { pages: stranger } = await makeVisitor(app);
    const application = await makeApplication(app);
    const tokens = await makeOAuthTokens(app, { application, user });
    await stranger.post(revokePath(application)).expect(404);
    expect((await tokenRow(app, tokens.access_token)).revokedAt).toBeNull();
  });

  it('win no token by refreshing while they are revoked', async () => {
    const { user, pages } = await makeVisitor(app);
    const application = await makeApplication(app);
    for (let round = 0; round < 10; round += 1) {
      const tokens = await makeOAuthTokens(app, { application, user });
      const [refreshed] = await Promise.all([
        postRefresh(app, application, tokens.refresh_token),
        pages.post(revokePath(application)).expect(303),
      ]);
      const newest = (refreshed.body as Partial<TokenBody>).access_token ?? tokens.access_token;
      expect((await tokenRow(app, newest)).revokedAt).not.toBeNull();
    }
  });

  it('ask for consent again after they were revoked', async () => {
    const { user, pages } = await makeVisitor(app);
    const application = await makeApplication(app);
    await makeOAuthTokens(app, { application, user, scopes: ['read_user'] });
    await pages.get(authorizePath(application)).expect(302);
    await pages.post(revokePath(application)).expect(303);
    const params = await approve(pages, authorizePath(application));
    expect(params.get('code')).toMatch(/^[0-9a-f]{64}$/);
  });
});
