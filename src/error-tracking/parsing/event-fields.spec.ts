import { describe, expect, it } from '@jest/globals';
import { messageOf, formatMessage } from './event-fields.js';

describe('message formatting', () => {
  it.each<[string, unknown, string]>([
    ['log error %s', ['disk full'], 'log error disk full'],
    ['%s took %d ms (%.1f %%)', ['job', 12.7, 99.95], 'job took 12 ms (100.0 %)'],
    ['%(user)s: %(n)05d', [{ user: 'ann', n: 7 }], 'ann: 7'],
    ['%(user)s', { user: 'ann' }, 'ann'],
    ['%r and %x', ['a', 255], 'a and ff'],
    ['%s %s', ['one'], 'one %s'],
    ['%s is 100%', ['this'], 'this is 100%'],
    ['value %s', [{ a: [1] }], 'value {"a":[1]}'],
    ['value %s', [null], 'value None'],
    ['{} of {1}, {x}', ['a', 'b'], 'a of b, {x}'],
    ['Hello {name:>8}', [{ name: 'Ann' }], 'Hello Ann'],
    ['from %s', 'one', 'from one'],
  ])('%s with %j', (template, params, text) => {
    expect(formatMessage(template, params)).toBe(text);
  });

  it('yields the event message, and a template only for events with values', () => {
    const logentry = { message: 'log error %s', params: ['disk full'] };
    expect(messageOf({ logentry })).toEqual({
      text: 'log error disk full',
      template: 'log error %s',
    });
    expect(messageOf({ logentry: { message: '100% done', params: [] } })).toEqual({
      text: '100% done',
      template: null,
    });
  });
});
