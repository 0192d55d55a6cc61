import { describe, expect, it } from '@jest/globals';
import { STATUS } from '../alert-values.js';
import type { IncomingAlert } from '../parsing/incoming-alert.js';
import {
  AlertStates,
  matchKey,
  type AlertEvent,
  type OpenAlert,
  type ProjectRules,
} from './alert-states.js';

const PROJECT = 7;
const FINGERPRINT = Buffer.alloc(20, 1);
const RULES: ProjectRules = {
  createIssue: false,
  sendEmail: false,
  autoCloseIncident: true,
  lastIid: 4,
};
const ENDED = new Date('2026-03-01T11:00:00Z');

function incoming(changes: Partial<IncomingAlert>): IncomingAlert {
  return {
    title: 'Disk full',
    description: null,
    service: null,
    monitoringTool: null,
    severity: 'critical',
    hosts: [],
    startedAt: new Date('2026-03-01T10:00:00Z'),
    isRecovery: false,
    endedAt: null,
    fingerprint: FINGERPRINT,
    environmentName: null,
    runbook: null,
    query: null,
    yLabel: null,
    incidentMarkdown: null,
    payload: '{}',
    ...changes,
  };
}

function event(changes: Partial<IncomingAlert> = {}, projectId = PROJECT): AlertEvent {
  const source = { integrationId: 3, projectId, name: 'Tool' };
  return { alert: incoming(changes), source, format: 'plain' };
}

const recovery = () => event({ isRecovery: true, endedAt: ENDED });

function stored(status: number, changes: Partial<OpenAlert> = {}): Map<string, OpenAlert> {
  const key = matchKey(PROJECT, FINGERPRINT);
  const first = { id: 1, iid: 2, title: 'First', status, issueId: null, isSilenced: false };
  return new Map([[key, { ...first, ...changes }]]);
}

/** The ids of the alerts that the events make are 11, 12, … */
function statesOf(
  events: AlertEvent[],
  open: Map<string, OpenAlert>,
  rules: Partial<ProjectRules> = {},
): AlertStates {
  const all = { ...RULES, ...rules };
  return new AlertStates(
    open,
    new Map([
      [PROJECT, all],
      [8, { ...all, lastIid: 0 }],
    ]),
    new Map(events.map(({ alert }, at) => [alert, { id: 11 + at, isSilenced: false }])),
  );
}

/** Returns the alerts after the events. */
function after(
  events: AlertEvent[],
  { open = new Map<string, OpenAlert>(), rules = {} as Partial<ProjectRules> } = {},
) {
  const states = statesOf(events, open, rules);
  return { results: events.map((one) => states.apply(one)), states };
}

const OPEN_STATUSES = [
  ['triggered', STATUS.triggered],
  ['acknowledged', STATUS.acknowledged],
  ['ignored', STATUS.ignored],
] as const;

describe('an event without an open alert', () => {
  it('makes a triggered alert with the next number when it fires', () => {
    const { results, states } = after([event()]);
    expect(results[0]).toMatchObject({
      id: 11,
      iid: 5,
      title: 'Disk full',
      status: STATUS.triggered,
      events: 1,
      endedAt: null,
      notes: ['logged an alert from **Tool**'],
    });
    expect([...states.numbers()]).toEqual([[PROJECT, 5]]);
  });

  it('changes nothing when it is a recovery', () => {
    const { results, states } = after([recovery()]);
    expect(results).toEqual([null]);
    expect(states.tracked).toEqual([]);
    expect(states.numbers().size).toBe(0);
  });

  it('belongs to its own project only', () => {
    const { results } = after([event(), event({}, 8)]);
    expect(results).toMatchObject([
      { projectId: PROJECT, iid: 5 },
      { projectId: 8, iid: 1 },
    ]);
  });
});

describe.each(OPEN_STATUSES)('an event of an alert that is %s', (_, status) => {
  it('counts when it fires, and leaves the status', () => {
    const { results, states } = after([event(), event()], { open: stored(status) });
    expect(results[0]).toBe(results[1]);
    expect(states.tracked).toMatchObject([
      { id: 1, iid: 2, title: 'First', status, events: 2, notes: [], origin: null },
    ]);
    expect(states.numbers().size).toBe(0);
  });

  it('resolves without counting when it is a recovery', () => {
    const { results } = after([recovery()], { open: stored(status) });
    expect(results[0]).toMatchObject({
      status: STATUS.resolved,
      endedAt: ENDED,
      events: 0,
      notes: ['logged a recovery alert from **Tool**', 'changed the status to **Resolved**'],
    });
  });

  it('asks for an incident when the alert has none', () => {
    const rules = { createIssue: true };
    expect(after([event()], { open: stored(status), rules }).results[0]?.opensIncident).toBe(true);
    const linked = stored(status, { issueId: 9 });
    expect(after([event()], { open: linked, rules }).results[0]?.opensIncident).toBe(false);
  });

  it('is mailed only while the alert is triggered', () => {
    const rules = { sendEmail: true };
    const { results } = after([event(), event()], { open: stored(status), rules });
    expect(results[0]?.firingMails).toBe(status === STATUS.triggered ? 2 : 0);
  });
});

describe('several events of one fingerprint', () => {
  it('make two alerts when it fires again after a recovery', () => {
    const { results, states } = after([event(), recovery(), event(), event()]);
    expect(states.tracked).toMatchObject([
      { iid: 5, status: STATUS.resolved, events: 1, endedAt: ENDED },
      { iid: 6, status: STATUS.triggered, events: 2, endedAt: null },
    ]);
    expect(results.map((alert) => alert?.iid)).toEqual([5, 5, 6, 6]);
  });

  it('make a successor of a stored alert that recovers', () => {
    const { states } = after([event(), recovery(), recovery(), event()], { open: stored(0) });
    expect(states.tracked).toMatchObject([
      { id: 1, status: STATUS.resolved, events: 1 },
      { id: 14, iid: 5, status: STATUS.triggered, events: 1 },
    ]);
  });
});

describe('a recovery', () => {
  it('closes the incident unless the project does not want it', () => {
    const open = stored(0, { issueId: 9 });
    expect(after([recovery()], { open }).results[0]?.closesIncident).toBe(true);
    const rules = { autoCloseIncident: false };
    expect(after([recovery()], { open, rules }).results[0]?.closesIncident).toBe(false);
    expect(after([recovery()], { open: stored(0) }).results[0]?.closesIncident).toBe(false);
  });

  it('is mailed when the project wants mails', () => {
    const rules = { sendEmail: true };
    expect(after([recovery()], { open: stored(0), rules }).results[0]?.mailsRecovery).toBe(true);
  });
});
