import { describe, expect, it } from '@jest/globals';
import { readField, saysResolved, valueAt } from './alert-attributes.js';
import type { FieldMapping, MappableField, PayloadPath } from './incoming-alert.js';

function mapping(field: MappableField, path: PayloadPath): FieldMapping {
  return { field, path, type: 'STRING' };
}

describe('valueAt', () => {
  const payload = { a: { 'b.c': [{ d: 1 }, null] }, n: null, s: 'text', '0': 'zero' };

  it.each<[PayloadPath, unknown]>([
    [['a', 'b.c', 0, 'd'], 1],
    [['a', 'b.c', 1], null],
    [['s'], 'text'],
    [['0'], 'zero'],
    [['a', 'b.c', 2], undefined],
    [['a', 'b.c', -1], undefined],
    [['a', 'b.c', 0.5], undefined],
    [['a', 'b.c', '0'], undefined],
    [['a', 'b.c', 'length'], undefined],
    [['a', 'b', 'c'], undefined],
    [['s', 'length'], undefined],
    [['s', 0], undefined],
    [['n', 'x'], undefined],
    [[0], undefined],
    [['constructor', 'name'], undefined],
    [['__proto__'], undefined],
    [[], undefined],
  ])('at %p finds %p', (path, expected) => {
    expect(valueAt(payload, path)).toEqual(expected);
  });
});

describe('readField', () => {
  const mappings = [mapping('title', ['alert', 'name'])];

  it.each<[Record<string, unknown>, unknown]>([
    [{ alert: { name: 'X' }, title: 'Y' }, 'X'],
    [{ title: 'Y' }, 'Y'],
    [{ alert: 'str' }, undefined],
    [{ alert: { name: null }, title: 'Y' }, 'Y'],
    [{ alert: { name: false }, title: 'Y' }, 'Y'],
    [{ alert: { name: '' }, title: 'Y' }, ''],
    [{ alert: { name: 0 }, title: 'Y' }, 0],
    [{ title: false }, undefined],
    [{}, undefined],
  ])('reads from %p the title %p', (payload, expected) => {
    expect(readField(payload, mappings, 'title')).toEqual(expected);
  });

  it('reads fields without a mapping under their plain names', () => {
    expect(readField({ service: 'db', alert: { name: 'X' } }, mappings, 'service')).toBe('db');
    expect(readField({ service: 'db' }, [], 'service')).toBe('db');
  });

  it('knows both names of the environment, its own first', () => {
    const read = (payload: Record<string, unknown>): unknown =>
      readField(payload, [], 'svc_environment_name');
    expect(read({ svc_environment_name: 'a', gitlab_environment_name: 'b' })).toBe('a');
    expect(read({ svc_environment_name: null, gitlab_environment_name: 'b' })).toBe('b');
    expect(read({ gitlab_environment_name: 'b' })).toBe('b');
    expect(read({})).toBeUndefined();
  });
});

describe('saysResolved', () => {
  const rule = { path: ['state', 0], values: ['OK', 'Recovered', '0', 'false'] };

  it.each<[unknown, boolean]>([
    ['recovered', true],
    ['OK', true],
    [0, true],
    [false, true],
    ['alerting', false],
    ['ok ', false],
    [1, false],
    [null, false],
    [['OK'], false],
    [{}, false],
  ])('takes %p for an end: %p', (word, expected) => {
    expect(saysResolved({ state: [word] }, rule)).toBe(expected);
  });

  it('never says so without a rule or without the word', () => {
    expect(saysResolved({ state: ['OK'] }, null)).toBe(false);
    expect(saysResolved({}, rule)).toBe(false);
  });
});
