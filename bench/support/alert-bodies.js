import { hash } from 'node:crypto';

/**
 * One alert as Alertmanager sends it.
 * @param {string} name
 */
function monitoringItem(name) {
  return {
    status: 'firing',
    labels: {
      alertname: name,
      severity: 'warning',
      instance: 'web01.example.com:9100',
      job: 'node',
    },
    annotations: {
      summary: `${name} is not well`,
      description: 'It has been so for some minutes.',
    },
    startsAt: '2026-03-01T10:00:00.123Z',
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: 'http://prometheus.example.com/graph?g0.expr=up+%3D%3D+0&g0.tab=1',
    fingerprint: hash('sha1', name).slice(0, 16),
  };
}

/**
 * A call of Alertmanager.
 * @param {object[]} alerts
 */
export function monitoringBody(alerts) {
  return {
    version: '4',
    groupKey: '{}:{alertname="storm"}',
    truncatedAlerts: 0,
    status: 'firing',
    receiver: 'guildhall',
    groupLabels: { alertname: 'storm' },
    commonLabels: { alertname: 'storm' },
    commonAnnotations: {},
    externalURL: 'http://alertmanager.example.com',
    alerts,
  };
}

/**
 * A call that tells of one alert in the plain format.
 * @param {number} number
 */
export function plainBody(number) {
  return JSON.stringify({
    title: `Disk full on web${number}`,
    description: 'Less than 5 % of the disk are free.',
    severity: 'high',
    service: 'web',
    monitoring_tool: 'Bench',
    hosts: ['web01.example.com'],
    start_time: '2026-03-01T10:00:00Z',
  });
}

/**
 * The items of all calls of a storm: every eleventh is an alert of its own, the others are the same.
 * @param {string} name
 * @param {{ alerts: number, perCall: number }} size
 */
export function stormCalls(name, { alerts, perCall }) {
  const calls = [];
  for (let at = 0; at < alerts; at += perCall) {
    const numbers = Array.from({ length: perCall }, (_, index) => at + index);
    calls.push(
      numbers.map((number) => monitoringItem(number % 11 === 10 ? `${name}-${number}` : name)),
    );
  }
  return calls;
}
