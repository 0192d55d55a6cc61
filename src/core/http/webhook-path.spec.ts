import { describe, expect, it } from '@jest/globals';
import { isNearWebhookPath, parseWebhookPath } from './webhook-path.js';

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
});

describe('isNearWebhookPath', () => {
  it.each([
    '/acme/web/alerts/notify/',
    '/acme/web/alerts/notify.xml',
    '/acme/web/alerts/notify.json/',
    '/acme/web/alerts/notify/0011aabb.json',
    '/acme/web/alerts/notify//0011aabb.json',
    '/acme/web/alerts/notify/tool/0011aabb.xml',
    '/acme/web/alerts/notify/tool/0011aabb.json/',
    '/acme/web/alerts/notify/tool/00-11.json',
    '/acme/web/alerts/notify/tool/more/0011aabb.json',
    '/acme/web/prometheus/alerts/notify/',
  ])('holds for %s, which is none', (path) => {
    expect(parseWebhookPath(path)).toBeNull();
    expect(isNearWebhookPath(path)).toBe(true);
  });

  it.each([
    ['a page of a project called notify', '/acme/alerts/notify/-/issues'],
    ['the same deeper', '/acme/web/alerts/notify/-/issues'],
    ['a page of alerts', '/acme/web/-/alerts/notify/'],
    ['Git', '/acme/web/alerts/notify.git/git-upload-pack'],
    ['the API', '/api/v4/web/alerts/notify/'],
    ['a project alone', '/acme/alerts/notify/'],
    ['another name', '/acme/web/alerts/notifying'],
  ])('does not hold for %s', (_, path) => {
    expect(isNearWebhookPath(path)).toBe(false);
  });

  it('reads long paths in no time', () => {
    const path = `${'/alerts/notif'.repeat(20_000)}/alerts/notify`;
    const start = performance.now();
    isNearWebhookPath(path);
    parseWebhookPath(path);
    expect(performance.now() - start).toBeLessThan(500);
  });
});
