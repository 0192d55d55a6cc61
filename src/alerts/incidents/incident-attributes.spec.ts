import { describe, expect, it } from '@jest/globals';
import { ALERT_SEVERITIES, severityNumber } from '../alert-values.js';
import { incidentSeverity, incidentText, type DescribedAlert } from './incident-attributes.js';

const WEB_URL = 'https://guildhall.example.com/tools/lathe/-/alert_management/7/details';

const BARE: DescribedAlert = {
  severity: severityNumber('critical'),
  startedAt: new Date('2026-03-01T10:00:00Z'),
  query: null,
  service: null,
  monitoringTool: null,
  hosts: [],
  description: null,
  incidentMarkdown: null,
};

const FULL: DescribedAlert = {
  ...BARE,
  query: 'queue_len > 10000',
  service: 'queue',
  monitoringTool: 'Prometheus',
  hosts: ['mq-1', 'mq-2'],
  description: 'Jobs wait\nlonger than *5* min',
};

describe('text of an incident', () => {
  it('has a row for all that the alert tells', () => {
    expect(incidentText(FULL, { webUrl: WEB_URL })).toBe(
      [
        '**Start time:** 01 March 2026, 10:00AM (UTC)',
        '**Severity:** critical',
        '**full_query:** `queue_len > 10000`',
        '**Service:** queue',
        '**Monitoring tool:** Prometheus',
        '**Hosts:** mq-1 mq-2',
        '**Description:** Jobs wait longer than \\*5\\* min',
        `**Alert:** ${WEB_URL}`,
        '',
      ].join('  \n'),
    );
  });

  it('leaves out what the alert does not tell', () => {
    expect(incidentText({ ...BARE, service: ' ', query: '' }, { webUrl: WEB_URL })).toBe(
      `**Start time:** 01 March 2026, 10:00AM (UTC)  \n**Severity:** critical  \n**Alert:** ${WEB_URL}  \n`,
    );
  });

  it('ends with the Markdown of the sender and the template, as they are', () => {
    const alert = { ...BARE, incidentMarkdown: '## Graph\n\n- [ ] look' };
    const text = incidentText(alert, { webUrl: WEB_URL, template: '/label ~ops\n' });

    expect(text.slice(text.indexOf('**Alert'))).toBe(
      `**Alert:** ${WEB_URL}  \n\n---\n\n## Graph\n\n- [ ] look\n\n---\n\n/label ~ops\n`,
    );
    expect(incidentText(BARE, { webUrl: WEB_URL, template: 'T' })).toMatch(/ {2}\n\n---\n\nT$/);
    expect(incidentText(BARE, { webUrl: WEB_URL, template: ' \n' })).not.toContain('---');
  });

  it.each([
    ['2026-12-31T00:05:59.999Z', '31 December 2026, 12:05AM (UTC)'],
    ['2026-06-09T12:00:00Z', '09 June 2026, 12:00PM (UTC)'],
    ['2026-06-09T23:59:00Z', '09 June 2026, 11:59PM (UTC)'],
    ['1970-01-01T01:02:03Z', '01 January 1970, 1:02AM (UTC)'],
  ])('writes %s as %s', (time, text) => {
    const alert = { ...BARE, startedAt: new Date(time) };

    expect(incidentText(alert, { webUrl: WEB_URL })).toContain(`**Start time:** ${text}  \n`);
  });
});

describe('severity of an incident', () => {
  it('is that of the alert, unknown for what only informs', () => {
    const severities = ALERT_SEVERITIES.map((name) =>
      incidentSeverity({ severity: severityNumber(name) }),
    );

    expect(severities).toEqual(['critical', 'high', 'medium', 'low', 'unknown', 'unknown']);
  });
});
