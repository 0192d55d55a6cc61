import { describe, expect, it } from '@jest/globals';
import { flattenPayload, prometheusDetails } from './payload-details.js';
import { payloadFields } from './payload-fields.js';

const LONG = 'n'.repeat(600_000);

describe('details of a payload', () => {
  it('have one level; lists and empty objects stay', () => {
    const payload = { a: { b: { c: 1 }, d: [{ e: 2 }] }, f: {}, g: null };
    expect(flattenPayload(payload)).toEqual({ 'a.b.c': 1, 'a.d': [{ e: 2 }], f: {}, g: null });
  });

  it('repeat no names beyond measure: such objects stay', () => {
    expect(flattenPayload({ [LONG]: { a: 1 } })).toEqual({ [`${LONG}.a`]: 1 });
    const two = { [LONG]: { a: 1, b: 2 } };
    expect(flattenPayload({ ...two, c: { d: 3 } })).toEqual({ ...two, 'c.d': 3 });
  });
});

describe('details of a Prometheus item', () => {
  it('contain the documented attributes and all annotations', () => {
    const named = {
      status: 'firing',
      startsAt: '2026-03-01T10:00:00Z',
      endsAt: null,
      generatorURL: 'http://p/?g0.expr=up',
    };
    const labels = { alertname: 'A', severity: 's1', svc_environment_name: 'production' };
    const annotations = { title: 'T', team: { on_call: 'ops' } };
    const others = { fingerprint: 'f', silenceURL: 'http://g/', values: { A: 1 } };
    const item = { ...named, ...others, labels: { ...labels, instance: 'i' }, annotations };
    expect(prometheusDetails(item)).toEqual({
      ...named,
      'labels.alertname': 'A',
      'labels.severity': 's1',
      'labels.svc_environment_name': 'production',
      'annotations.title': 'T',
      'annotations.team.on_call': 'ops',
    });
    expect(prometheusDetails({ ...named, labels: null })).toEqual(named);
  });
});

describe('fields of an example', () => {
  it('are not offered below names that no mapping may name', () => {
    const example = { ['n'.repeat(1_001)]: { a: 'x' }, ['m'.repeat(1_000)]: 'y', b: 'z' };
    expect(payloadFields(example).map(({ path }) => path)).toEqual([['m'.repeat(1_000)], ['b']]);
  });

  it('end when their labels are long altogether', () => {
    const list = Array<string>(400).fill('x');
    const fields = payloadFields({ ['n'.repeat(1_000)]: list });
    expect(fields.length).toBeGreaterThan(90);
    expect(fields.length).toBeLessThan(110);
  });
});
