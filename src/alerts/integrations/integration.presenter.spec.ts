import { describe, expect, it } from '@jest/globals';
import { webhookUrl } from './integration.presenter.js';

const PROJECT = 'https://guildhall.example/acme/web';

describe('the address of a webhook', () => {
  it.each([
    ['Datadog', 'datadog'],
    ['New Name', 'new-name'],
    ['Disk & Net', 'disk---net'],
    ['--Disk?', 'disk'],
    ['x'.repeat(70), 'x'.repeat(63)],
    ['Überwachung', 'berwachung'],
    ['警報', 'http-endpoint'],
    ['?', 'http-endpoint'],
  ])('of %j has the slug %j', (name, slug) => {
    expect(webhookUrl({ name, identifier: '0011aabbccddeeff' }, PROJECT)).toBe(
      `${PROJECT}/alerts/notify/${slug}/0011aabbccddeeff.json`,
    );
  });

  it('is null without identifier', () => {
    expect(webhookUrl({ name: 'Pager', identifier: null }, PROJECT)).toBeNull();
  });
});
