import { describe, expect, it } from '@jest/globals';
import { pathKindOf } from './paths.js';

describe('pathKindOf', () => {
  it.each([
    ['/api/v4/projects', 'api'],
    ['/api', 'api'],
    ['/-/health', 'api'],
    ['/-/assets/app-1.css', 'api'],
    ['/oauth/token', 'oauth'],
    ['/oauth/token/info', 'oauth'],
    ['/.well-known/openid-configuration', 'oauth'],
    ['/oauth/discovery/keys', 'oauth'],
    ['/acme/web/alerts/notify.json', 'api'],
    ['/acme/web/prometheus/alerts/notify', 'api'],
    ['/acme/team/web/alerts/notify/tool/0011aabbccddeeff.json', 'api'],
    ['/acme/alerts/notify.json', 'page'],
    ['/acme/web/alerts/notify/tool', 'page'],
    ['/acme/web/-/alerts/notify.json', 'page'],
    ['/acme/web/alerts/notify/-/issues', 'page'],
    ['/oauth/authorize', 'page'],
    ['/oauth/authorize/deny', 'page'],
    ['/oauth/authorize/switch', 'page'],
    ['/oauth/authorized_applications', 'page'],
    ['/oauth/authorized_applications/7/revoke', 'page'],
    ['/oauth/authorize/nothing', 'api'],
    ['/oauth/tokens', 'api'],
    ['/oauth', 'api'],
    ['/oauths', 'page'],
    ['/apis/project', 'page'],
    ['/-/docs/api', 'page'],
    ['/', 'page'],
  ])('of %s is %s', (path, kind) => {
    expect(pathKindOf(path)).toBe(kind);
  });
});
