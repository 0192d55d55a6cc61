import { describe, expect, it } from '@jest/globals';
import { flattenPayload } from './payload-details.js';
import { payloadFields } from './payload-fields.js';

describe('payloadFields', () => {
  it('offers texts, dates and lists, depth first', () => {
    const example = {
      alert: { name: 'Disk', at: '2026-03-01T10:00:00Z', level: 3, open: true, none: null },
      alerts: [{ labels: { host: 'a' } }, ['x']],
      'with.dot': '',
    };
    expect(payloadFields(example)).toEqual([
      { path: ['alert', 'name'], label: 'alert/name', type: 'STRING' },
      { path: ['alert', 'at'], label: 'alert/at', type: 'DATETIME' },
      { path: ['alerts'], label: 'alerts', type: 'ARRAY' },
      { path: ['alerts', 0, 'labels', 'host'], label: 'alerts[0]/labels/host', type: 'STRING' },
      { path: ['alerts', 1], label: 'alerts[1]', type: 'ARRAY' },
      { path: ['alerts', 1, 0], label: 'alerts[1][0]', type: 'STRING' },
      { path: ['with.dot'], label: 'with.dot', type: 'STRING' },
    ]);
  });

  it.each([{}, [], null, 1, true, { a: 1 }])('finds nothing in %p', (example) => {
    expect(payloadFields(example)).toEqual([]);
  });

  it('stops after 500', () => {
    const names = Array.from({ length: 600 }, (_, at) => [`k${at}`, 'x']);
    expect(payloadFields(Object.fromEntries(names))).toHaveLength(500);
    expect(payloadFields({ a: Array(600).fill('x') })).toHaveLength(500);
  });
});

describe('flattenPayload', () => {
  it('joins the names with dots and keeps lists', () => {
    const payload = {
      title: 'A',
      foo: { bar: { baz: 42 }, list: [{ a: { b: 1 } }], none: null },
      empty: {},
    };
    expect(flattenPayload(payload)).toEqual({
      title: 'A',
      'foo.bar.baz': 42,
      'foo.list': [{ a: { b: 1 } }],
      'foo.none': null,
      empty: {},
    });
  });

  it('takes every name for a plain one', () => {
    const payload = JSON.parse('{"__proto__":{"x":1},"a":{"__proto__":2}}') as object;
    const flat = flattenPayload({ ...payload });
    expect(Object.entries(flat)).toEqual([
      ['__proto__.x', 1],
      ['a.__proto__', 2],
    ]);
    expect(Object.getPrototypeOf(flat)).toBe(Object.prototype);
  });
});
