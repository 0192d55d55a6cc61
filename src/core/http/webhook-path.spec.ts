import { describe, expect, it } from '@jest/globals';
import { effortOf } from '../../../test/support/effort.js';
import { parseWebhookPath } from './raw-bodies.js';

describe('parseWebhookPath', () => {
  it.each([
    ['/acme/web/alerts/notify.json', ['acme/web', false, null]],
    ['/acme/web/alerts/notify', ['acme/web', false, null]],
    ['/acme/web/prometheus/alerts/notify.json', ['acme/web', true, null]],
    ['/acme/team/web/alerts/notify/tool/0011aabb.json', ['acme/team/web', false, '0011aabb']],
    ['/acme/w%65b/alerts/notify/a%20b/0011aabb', ['acme/web', false, '0011aabb']],
  ])('reads %s', (path, [project, isMonitoring, identifier]) => {
    expect(parseWebhookPath(path)).toEqual({ project, isMonitoring, identifier });
  });

  it.each([
    '/acme/web/alerts/notify/',
    '/acme/web/alerts/notify.xml',
    '/acme/web/alerts/notify/0011aabb.json',
    '/acme/web/alerts/notify/tool/00-11.json',
    '/acme/web/alerts/notify/tool/more/0011aabb.json',
    '/acme/alerts/notify/-/issues',
    '/acme/web/-/alerts/notify',
    '/api/v4/web/alerts/notify',
    '/acme/web/alerts/notifying',
  ])('does not read %s', (path) => {
    expect(parseWebhookPath(path)).toBeNull();
  });

  it('stays fast for long paths', () => {
    const path = `${'/alerts/notif'.repeat(20_000)}/alerts/notify`;
    expect(effortOf(() => parseWebhookPath(path))).toBeLessThan(5);
  });
});
