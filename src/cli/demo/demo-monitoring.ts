import { ErrorIngest } from '../../error-tracking/ingest/error-ingest.service.js';
import { readEvent } from '../../error-tracking/parsing/read-event.js';
import { ALERTS, INCIDENT_ALERT, INCIDENT_COMMENTS, type DemoAlert } from './alerts.js';
import { projectPath, type DemoTeam } from './demo-team.js';
import { planComments } from './demo-work.js';
import { ERRORS, errorEvent, type DemoError } from './errors.js';
import type { DemoBody, DemoInstance } from './instance.js';
import { CHECKOUT_ISSUES } from './issues.js';
import { daysBefore, type Timeline } from './timeline.js';

const CHECKOUT = projectPath('checkout');

/** Adds an integration with alerts, an incident, errors, environments and applications. */
export function planMonitoring(timeline: Timeline, team: DemoTeam, instance: DemoInstance): void {
  timeline.add(40, async () => {
    const tom = await team.as('tom');
    for (const [name, tier] of [
      ['production', 'production'],
      ['staging', 'staging'],
    ] as const) {
      await tom.post(`${CHECKOUT}/environments`, {
        name,
        tier,
        external_url: `https://${name}.shop.acme.example`,
      });
    }
    await tom.post(`${CHECKOUT}/alert_management/http_integrations`, {
      name: 'Prometheus',
      active: true,
    });
    await tom.send('PATCH', `${CHECKOUT}/error_tracking/settings`, { active: true });
    for (const [name, host] of [
      ['Grafana', 'grafana'],
      ['Mattermost', 'chat'],
    ] as const) {
      await team.root.post('/applications', {
        name,
        redirect_uri: `https://${host}.acme.example/login/callback`,
        scopes: 'openid profile email',
        confidential: true,
      });
    }
  });
  ALERTS.forEach((alert, at) => planAlert(timeline, team, { alert, iid: at + 1 }));
  planIncident(timeline, team, instance);
  timeline.add(0.01, () => storeErrors(timeline.base, team, instance));
}

function planAlert(
  timeline: Timeline,
  team: DemoTeam,
  { alert, iid }: { alert: DemoAlert; iid: number },
): void {
  const { days, acknowledged, recovered, events } = alert;
  timeline.add(days, async () => {
    for (let at = 0; at < events; at += 1) await postAlert(team, alert, {});
  });
  if (acknowledged !== undefined) {
    const [acknowledgedDays, by] = acknowledged;
    timeline.add(acknowledgedDays, async () => {
      const change = { status: 'acknowledged', assignee_ids: [await team.idOf(by)] };
      await (await team.as(by)).put(`${CHECKOUT}/alert_management_alerts/${iid}`, change);
    });
  }
  if (recovered === undefined) return;
  timeline.add(recovered, () => postAlert(team, alert, { end_time: new Date().toISOString() }));
}

async function postAlert(team: DemoTeam, alert: DemoAlert, more: object): Promise<void> {
  const tom = await team.as('tom');
  const [integration] = await tom.get<{ url: string; token: string }[]>(
    `${CHECKOUT}/alert_management/http_integrations`,
  );
  if (integration === undefined) throw new Error('no integration');
  const { pathname } = new URL(integration.url);
  const response = await fetch(tom.url + pathname, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${integration.token}` },
    body: JSON.stringify({
      title: alert.title,
      description: alert.description,
      severity: alert.severity,
      service: alert.service,
      monitoring_tool: 'Prometheus',
      hosts: [alert.host],
      gitlab_environment_name: alert.environment,
      fingerprint: `${alert.title} ${alert.environment}`,
      ...more,
    }),
  });
  if (!response.ok) throw new Error(`alert: ${response.status} ${await response.text()}`);
}

/** One alert opens an incident, which people work on. */
function planIncident(timeline: Timeline, team: DemoTeam, instance: DemoInstance): void {
  const settings = `${CHECKOUT}/alert_management/settings`;
  const iid = ALERTS.length + 1;
  const issueIid = CHECKOUT_ISSUES.length + 1;
  timeline.add(0.055, async () => (await team.as('tom')).put(settings, { create_issue: true }));
  planAlert(timeline, team, { alert: INCIDENT_ALERT, iid });
  timeline.add(INCIDENT_ALERT.days - 0.001, async () => {
    const path = `${CHECKOUT}/issues/${issueIid}`;
    const isOpen = () =>
      team.root.get(path).then(
        () => true,
        () => false,
      );
    if (await instance.isEventually(isOpen)) return;
    // No worker is running, which would open it.
    await (
      await team.as('tom')
    ).post(`${CHECKOUT}/issues`, {
      title: INCIDENT_ALERT.title,
      issue_type: 'incident',
    });
  });
  const path = `${CHECKOUT}/issues/${issueIid}`;
  timeline.add(0.044, async () => {
    const tom = await team.as('tom');
    await tom.put(path, { assignee_ids: [await team.idOf('tom')], labels: 'incident' });
  });
  planComments(timeline, team, { path: `${path}/notes`, comments: INCIDENT_COMMENTS });
  timeline.add(0.002, async () => (await team.as('tom')).put(settings, { create_issue: false }));
}

/** Stores the events of two weeks as if they had come then. */
async function storeErrors(base: Date, team: DemoTeam, { app }: DemoInstance): Promise<void> {
  const tom = await team.as('tom');
  const known = await tom.get<DemoBody[]>(`${CHECKOUT}/error_tracking/errors?status=all`);
  if (known.length > 0) return;
  const [key] = await tom.get<{ id: number }[]>(`${CHECKOUT}/error_tracking/client_keys`);
  const { id: projectId } = await tom.get(CHECKOUT);
  const rules = { scrubData: true, scrubIpAddresses: true, sensitiveFields: [], safeFields: [] };
  const source = { projectId, keyId: key?.id ?? null, retentionDays: 90, ...rules };
  const ingest = app.get(ErrorIngest, { strict: false });
  for (const { at, event } of occurrences(base)) {
    const json = Buffer.from(JSON.stringify(event));
    const context = {
      source,
      headerEventId: null,
      sentAt: null,
      clientAddress: '192.0.2.10',
      json,
    };
    await ingest.receive(source, readEvent(event, { ...context, receivedAt: at, received: null }));
  }
  const stored = await tom.get<(DemoBody & { title: string })[]>(
    `${CHECKOUT}/error_tracking/errors?status=all&per_page=50`,
  );
  for (const { type, value, status } of ERRORS) {
    const error = stored.find(({ title }) => title.includes(type) && title.includes(value));
    if (status === undefined || error === undefined) continue;
    await tom.put(`${CHECKOUT}/error_tracking/errors/${error.id}`, { status });
  }
}

/** All events of all errors, oldest first; most of them during the day. */
function occurrences(base: Date): { at: Date; event: object }[] {
  const all = ERRORS.flatMap((error: DemoError) =>
    error.perDay.flatMap((count, day) =>
      Array.from({ length: count }, (_, n) => {
        const share = ((n * 0.618034) % 1) ** 1.5;
        const at = daysBefore(base, day + 0.003 + share * 0.7);
        return { at, event: errorEvent(error, { at, n: n + day }) };
      }),
    ),
  );
  return all.sort((one, other) => one.at.getTime() - other.at.getTime());
}
