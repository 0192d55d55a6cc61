import type { OriginRule } from '../core/http/request-rules.middleware.js';

const POSTED: OriginRule = { methods: 'POST, OPTIONS', headers: ['authorization'] };
const PUBLISHED: OriginRule = { methods: 'GET, HEAD', headers: [] };

/** OAuth endpoints that scripts of any origin can call, by path (API doc, Cross-origin rules). */
export const OAUTH_ORIGIN_RULES: Readonly<Record<string, OriginRule>> = {
  '/oauth/token': POSTED,
  '/oauth/revoke': POSTED,
  '/oauth/token/info': { methods: 'GET, HEAD, OPTIONS', headers: ['authorization'] },
  '/oauth/userinfo': { methods: 'GET, HEAD, POST, OPTIONS', headers: ['authorization'] },
  '/oauth/discovery/keys': PUBLISHED,
  '/.well-known/openid-configuration': PUBLISHED,
  '/.well-known/oauth-authorization-server': PUBLISHED,
  '/.well-known/webfinger': PUBLISHED,
};
