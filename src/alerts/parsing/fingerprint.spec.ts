import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from './fingerprint.js';
import { prometheusFingerprint, plainFingerprint } from './fingerprint.js';
import type { FieldMapping, JsonObject, ParsingRules, PayloadPath } from './incoming-alert.js';

const RULES: ParsingRules = { type: 'http', mappings: [], resolvedWhen: null };

function hex(payload: JsonObject, rules: Partial<ParsingRules> = {}): string {
  return plainFingerprint(payload, { ...RULES, ...rules }).toString('hex');
}

function mapped(field: FieldMapping['field'], path: PayloadPath): Partial<ParsingRules> {
  return { mappings: [{ field, path, type: 'STRING' }] };
}

describe('the fingerprint that a plain payload names', () => {
  it.each<[unknown, string]>([
    ['disk-full-web01', '3fe9dea383962bc1e8ab5479409565317a0b774d'],
    [42, '92cfceb39d57d914ed8b14d0e37643de0797ae56'],
    [['web01', ['disk', 9]], '97872a957bbb195472380d2423c3365ea66f6c0b'],
    [['web01', null, [[], 'disk', '9']], '97872a957bbb195472380d2423c3365ea66f6c0b'],
  ])('%p has the SHA-1 %s, whatever else is there', (fingerprint, expected) => {
    expect(hex({ fingerprint, title: 'A' })).toBe(expected);
    expect(hex({ fingerprint })).toBe(expected);
  });

  it('may be an object, in any order', () => {
    expect(hex({ fingerprint: { a: 1, b: [2] } })).toBe(hex({ fingerprint: { b: [2], a: 1 } }));
    expect(hex({ fingerprint: ['x', { a: 1 }] })).not.toBe(hex({ fingerprint: ['x', { a: 2 }] }));
  });

  it('may be mapped from elsewhere', () => {
    const rules = mapped('fingerprint', ['meta', 'key']);
    const payload = { meta: { key: 'disk-full-web01' }, fingerprint: 'other' };
    expect(hex(payload, rules)).toBe('3fe9dea383962bc1e8ab5479409565317a0b774d');
  });

  it.each(['', ' ', null, false, [], [''], [[null]]])('is none when it is %p', (fingerprint) => {
    expect(hex({ fingerprint, title: 'A' })).not.toBe(hex({ fingerprint, title: 'B' }));
  });
});

describe('the fingerprint made of a plain payload', () => {
  it('is the SHA-1 of its canonical JSON', () => {
    const payload = { title: 'Disk full', severity: 'high', service: 'db' };
    expect(hex(payload)).toBe('8206bbb50ec7690be94f1d65ff4a50c1cc4664f1');
  });

  it('ignores times and hosts', () => {
    const times = { start_time: '2026-03-01T10:00:00Z', end_time: 5, hosts: ['h1'] };
    expect(hex({ title: 'A', ...times })).toBe(hex({ title: 'A' }));
  });

  it.each<[FieldMapping['field'], PayloadPath, JsonObject[]]>([
    ['end_time', ['over'], [{}, { over: 1 }, { over: '2026-03-01T10:00:00Z' }, { over: null }]],
    ['start_time', ['t', 'begin'], [{}, { t: {} }, { t: null }, { t: { begin: 1 } }]],
    ['hosts', ['nodes', 0], [{ nodes: [] }, {}, { nodes: ['a'] }, { nodes: ['b'] }]],
    ['hosts', ['x', 1, 'ip'], [{ x: [1] }, { x: [1, { ip: 'a' }] }, { x: [1, { ip: 'b' }] }]],
  ])('ignores %s mapped from %p', (field, path, payloads) => {
    const prints = payloads.map((payload) => hex({ title: 'A', ...payload }, mapped(field, path)));
    expect(new Set(prints).size).toBe(1);
  });

  it('keeps what stands beside a mapped time', () => {
    const rules = mapped('end_time', ['t', 'end']);
    expect(hex({ t: { end: 1, id: 1 } }, rules)).not.toBe(hex({ t: { end: 1, id: 2 } }, rules));
    expect(hex({ t: 'a' }, rules)).not.toBe(hex({ t: 'b' }, rules));
    expect(hex({ '0': 'a' }, mapped('hosts', [0]))).toBe(hex({ '0': 'a' }));
  });

  it('leaves the payload as it was', () => {
    const payload = { title: 'A', start_time: 1, t: [{ end: 1 }] };
    hex(payload, mapped('end_time', ['t', 0, 'end']));
    expect(payload).toEqual({ title: 'A', start_time: 1, t: [{ end: 1 }] });
  });

  it('ignores other mapped fields no more than unmapped ones', () => {
    const rules = mapped('title', ['name']);
    expect(hex({ name: 'a' }, rules)).not.toBe(hex({ name: 'b' }, rules));
  });

  it('ignores the word that says that the problem is over', () => {
    const resolvedWhen = { path: ['state'], values: ['ok'] };
    const prints = ['alerting', 'ok'].map((state) => hex({ title: 'A', state }, { resolvedWhen }));
    expect(new Set(prints).size).toBe(1);
  });

  it.each<[JsonObject, Partial<ParsingRules>]>([
    [{ hosts: ['h'] }, {}],
    [{ start_time: '2026-03-01T10:00:00Z', end_time: 'x', hosts: 'g' }, {}],
    [{ t: { end: 1 } }, mapped('end_time', ['t', 'end'])],
  ])('equals that of {} when no other fields remain: %p', (payload, rules) => {
    expect(hex(payload, rules)).toBe(hex({}));
  });

  it('differs for payloads that differ in any other field', () => {
    const payloads = [{}, { title: '' }, { title: ' ' }, { a: null }, { foo: 0 }, { foo: 1 }];
    expect(new Set(payloads.map((payload) => hex(payload))).size).toBe(payloads.length);
  });
});

describe('the fingerprint of a Prometheus item', () => {
  const identity = { startsAt: '2026-03-01T10:00:00Z', title: 'HighLatency', query: 'up == 0' };
  const print = (item: JsonObject, labels: JsonObject, query: string | null = 'up == 0'): string =>
    prometheusFingerprint(item, labels, { ...identity, query }).toString('hex');

  it('is its own one when it has one', () => {
    const expected = '3fe9dea383962bc1e8ab5479409565317a0b774d';
    expect(print({ fingerprint: 'disk-full-web01' }, { a: '1' })).toBe(expected);
  });

  it('is made of the labels otherwise, in any order', () => {
    const labels = { instance: 'a', alertname: 'X' };
    expect(print({ fingerprint: ' ' }, labels)).toBe(print({}, { alertname: 'X', instance: 'a' }));
    expect(print({ fingerprint: 7 }, labels)).not.toBe(print({}, { ...labels, instance: 'b' }));
  });

  it('is made of start, title and query without labels', () => {
    expect(print({}, {})).toBe('5e229d5dc86dd518b53d81146b5ff7a5d623ae44');
    expect(print({}, {}, null)).toBe('18dfa16ff638bfb514b452520ac82be7e9144b38');
  });
});

describe('canonicalJson', () => {
  it('sorts the names at every depth and leaves out what is undefined', () => {
    const value = { b: [{ d: 1, c: null }, undefined, 'é"'], a: undefined, '10': 1, '9': 2 };
    expect(canonicalJson(value)).toBe('{"10":1,"9":2,"b":[{"c":null,"d":1},"é\\""]}');
  });

  it('says the same as the value', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const value: unknown = JSON.parse(json);
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
      }),
    );
  });
});
