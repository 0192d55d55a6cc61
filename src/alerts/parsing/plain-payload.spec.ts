import { describe, expect, it } from '@jest/globals';
import type { JsonObject, MappableField, ParsingRules, PayloadPath } from './incoming-alert.js';
import { parsePlain } from './payload.js';

const NOW = new Date('2026-03-01T12:34:56.789Z');
const PLAIN: ParsingRules = { type: 'http', mappings: [], resolvedWhen: null };

function mapped(paths: Partial<Record<MappableField, PayloadPath>>): ParsingRules {
  const fields = Object.keys(paths) as MappableField[];
  const mappings = fields.map((field) => ({
    field,
    path: paths[field] ?? [],
    type: 'STRING' as const,
  }));
  return { ...PLAIN, mappings };
}

function parse(payload: JsonObject, rules: ParsingRules = PLAIN) {
  return parsePlain(payload, rules, NOW);
}

describe('parsePlain', () => {
  it('gives every field its default', () => {
    expect(parse({})).toEqual({
      title: 'New: Alert',
      description: null,
      service: null,
      monitoringTool: null,
      severity: 'critical',
      hosts: [],
      startedAt: NOW,
      isRecovery: false,
      endedAt: null,
      fingerprint: Buffer.from('bf21a9e8fbc5a3846fb05b4fa0859e0917b2202f', 'hex'),
      environmentName: null,
      runbook: null,
      query: null,
      yLabel: null,
      incidentMarkdown: null,
      payload: '{}',
    });
  });

  it('reads every field of the document', () => {
    const payload = {
      title: 'Disk full',
      description: 'No room on /var',
      start_time: '2026-03-01T12:00:00+02:00',
      end_time: '2026-03-01T11:00:00Z',
      service: 'db',
      monitoring_tool: 'Nagios',
      hosts: ['web01', 'web02'],
      severity: 'HIGH',
      fingerprint: 'disk-full-web01',
      svc_environment_name: 'production',
      runbook: 'https://kb.example.com/disk',
      extra: { nested: [1] },
    };
    expect(parse(payload)).toEqual({
      title: 'Disk full',
      description: 'No room on /var',
      service: 'db',
      monitoringTool: 'Nagios',
      severity: 'high',
      hosts: ['web01', 'web02'],
      startedAt: new Date('2026-03-01T10:00:00Z'),
      isRecovery: true,
      endedAt: new Date('2026-03-01T11:00:00Z'),
      fingerprint: Buffer.from('3fe9dea383962bc1e8ab5479409565317a0b774d', 'hex'),
      environmentName: 'production',
      runbook: 'https://kb.example.com/disk',
      query: null,
      yLabel: null,
      incidentMarkdown: null,
      payload: JSON.stringify(payload),
    });
  });

  it.each([
    ['title', 'x'.repeat(250), { title: `${'x'.repeat(197)}...` }],
    ['title', ' ', { title: 'New: Alert' }],
    ['title', null, { title: 'New: Alert' }],
    ['title', 123, { title: '123' }],
    ['title', { a: 1 }, { title: '{"a":1}' }],
    ['description', 'x'.repeat(1001), { description: `${'x'.repeat(997)}...` }],
    ['description', '', { description: null }],
    ['service', 'x'.repeat(101), { service: `${'x'.repeat(97)}...` }],
    ['monitoring_tool', 'x'.repeat(101), { monitoringTool: `${'x'.repeat(97)}...` }],
    ['severity', 'unknown', { severity: 'unknown' }],
    ['severity', 'blocker', { severity: 'critical' }],
    ['severity', 5, { severity: 'critical' }],
    ['start_time', 'soon', { startedAt: NOW }],
    ['start_time', 12, { startedAt: NOW }],
    ['start_time', '0001-01-01T00:00:00Z', { startedAt: NOW }],
    ['end_time', 'never', { isRecovery: false, endedAt: null }],
    ['end_time', '', { isRecovery: false, endedAt: null }],
    ['end_time', '0001-01-01T00:00:00Z', { isRecovery: false, endedAt: null }],
    ['end_time', 1772362800000, { isRecovery: true, endedAt: new Date('2026-03-01T11:00:00Z') }],
    ['hosts', 'web01', { hosts: ['web01'] }],
    ['hosts', ['a', ['b']], { hosts: ['a', 'b'] }],
    ['gitlab_environment_name', 'staging', { environmentName: 'staging' }],
  ])('reads %s %p', (name, value, expected) => {
    expect(parse({ [name]: value })).toMatchObject(expected);
  });

  it('reads each field from where it is mapped', () => {
    const rules = mapped({
      title: ['alert', 'name'],
      description: ['alert', 'text'],
      start_time: ['times', 0],
      end_time: ['times', 1],
      service: ['on', 'service'],
      monitoring_tool: ['from'],
      hosts: ['nodes', 0, 'ip'],
      severity: ['level'],
      fingerprint: ['ids'],
      svc_environment_name: ['env'],
    });
    const payload = {
      alert: { name: 'X', text: 'Y' },
      times: ['2026-03-01 10:00:00', '2026-03-01 11:00:00'],
      on: { service: 'db' },
      from: 'Icinga',
      nodes: [{ ip: '10.0.0.1' }],
      level: 'Low',
      ids: ['web01', ['disk', 9]],
      env: 'production',
    };
    expect(parse(payload, rules)).toEqual({
      title: 'X',
      description: 'Y',
      service: 'db',
      monitoringTool: 'Icinga',
      severity: 'low',
      hosts: ['10.0.0.1'],
      startedAt: new Date('2026-03-01T10:00:00Z'),
      isRecovery: true,
      endedAt: new Date('2026-03-01T11:00:00Z'),
      fingerprint: Buffer.from('97872a957bbb195472380d2423c3365ea66f6c0b', 'hex'),
      environmentName: 'production',
      runbook: null,
      query: null,
      yLabel: null,
      incidentMarkdown: null,
      payload: JSON.stringify(payload),
    });
  });

  it.each([
    [{ alert: { name: 'X' }, title: 'Y' }, 'X'],
    [{ title: 'Y' }, 'Y'],
    [{ alert: 'str' }, 'New: Alert'],
  ])('takes a mapped title before the plain one: %p', (payload, title) => {
    expect(parse(payload, mapped({ title: ['alert', 'name'] })).title).toBe(title);
  });

  it('gives a recovery by a mapped end time the fingerprint of its firing', () => {
    const rules = mapped({ end_time: ['recovered_at'] });
    const firing = parse({ title: 'A' }, rules);
    const recovery = parse({ title: 'A', recovered_at: '2026-03-01T11:00:00Z' }, rules);
    expect([firing.isRecovery, recovery.isRecovery]).toEqual([false, true]);
    expect(recovery.fingerprint).toEqual(firing.fingerprint);
  });

  describe('with a word that ends a problem', () => {
    const rules = { ...PLAIN, resolvedWhen: { path: ['state'], values: ['ok'] } };

    it('ends it now', () => {
      expect(parse({ state: 'OK' }, rules)).toMatchObject({ isRecovery: true, endedAt: NOW });
    });

    it('ends it when the payload says, if it does', () => {
      const ended = parse({ state: 'OK', end_time: '2026-03-01T11:00:00Z' }, rules);
      expect(ended.endedAt).toEqual(new Date('2026-03-01T11:00:00Z'));
    });

    it('lets every other word fire, and an end time still end it', () => {
      const payload = { state: 'alerting', end_time: '2026-03-01T11:00:00Z' };
      expect(parse({ state: 'alerting' }, rules)).toMatchObject({ isRecovery: false });
      expect(parse(payload, rules)).toMatchObject({ isRecovery: true });
    });
  });
});
