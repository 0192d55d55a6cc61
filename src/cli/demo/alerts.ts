import { TREND_HOURS } from '../../alerts/event-trend.js';

/** An alert of the demo team's monitoring. */
export interface DemoAlert {
  days: number;
  title: string;
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
  description: string;
  environment: string;
  service: string;
  host: string;
  /** Number of events. */
  events: number;
  acknowledged?: readonly [days: number, by: string];
  /** Days before the present when the tool reported recovery. */
  recovered?: number;
}

export const ALERTS: readonly DemoAlert[] = [
  alert('Nightly backup took 41 minutes', 'info production backup db-1', {
    days: 9,
    events: 1,
    recovered: 8.9,
  }),
  alert('Checkout API latency above 2 s', 'high production checkout web-3', {
    days: 6.5,
    events: 23,
    acknowledged: [6.49, 'tom'],
    recovered: 6.4,
  }),
  alert('Memory of cart-7d4f above 90 %', 'medium production checkout node-4', {
    days: 5.2,
    events: 8,
    recovered: 5,
  }),
  alert('Storefront is unreachable', 'critical production storefront edge-1', {
    days: 3.1,
    events: 31,
    acknowledged: [3.09, 'tom'],
    recovered: 3.05,
  }),
  alert('Worker queue older than 60 s', 'low staging orders worker-1', {
    days: 2.2,
    events: 5,
    recovered: 2.1,
  }),
  alert('TLS certificate expires in 9 days', 'medium staging storefront edge-2', {
    days: 1.4,
    events: 3,
    acknowledged: [1.2, 'priya'],
  }),
  alert('Pod restarted: cart-5d9f', 'info production checkout node-2', {
    days: 0.42,
    events: 2,
    recovered: 0.4,
  }),
  alert('Worker queue older than 60 s', 'low production orders worker-2', {
    days: 0.21,
    events: 11,
  }),
  alert('Disk /var/lib/postgresql 91 % full on db-2', 'high production postgresql db-2', {
    days: 0.13,
    events: 17,
  }),
  alert('PostgreSQL replica lag over 30 s', 'critical production postgresql db-3', {
    days: 0.09,
    events: 42,
    acknowledged: [0.08, 'mei'],
  }),
  alert('Payment gateway p99 latency above 2 s', 'high production payments web-1', {
    days: 0.06,
    events: 34,
  }),
];

/** Opens an incident. */
export const INCIDENT_ALERT: DemoAlert = alert(
  'Checkout API error rate above 5 %',
  'critical production checkout web-1',
  { days: 0.05, events: 48, acknowledged: [0.045, 'tom'] },
);

export const INCIDENT_COMMENTS: readonly string[] = [
  '0.043 tom Customers see "Payment failed" on about one order in ten. It began with the replica lag.',
  '0.036 mei The pool of the read replica is exhausted. Orders wait for prices.',
  '0.028 tom Sent price lookups to the primary. Error rate is down to 2 %.',
  '0.016 alice Support knows. Next update in 15 minutes.',
  '0.007 tom 0.4 % and falling. Keeping an eye on it.',
];

/** `facts` are severity, environment, service and host. */
function alert(
  title: string,
  facts: string,
  times: Pick<DemoAlert, 'days' | 'events' | 'acknowledged' | 'recovered'>,
): DemoAlert {
  const [severity, environment = '', service = '', host = ''] = facts.split(' ');
  const description = `${title} (${environment}, ${host}). Runbook: https://runbooks.acme.example/${service}`;
  const known = { severity: severity as DemoAlert['severity'], environment, service, host };
  return { title, description, ...known, ...times };
}

/** Returns the alert's events before each hour until its end, of which the next has more, oldest first. */
export function totalsByHour({ days, recovered = 0, events }: DemoAlert): number[] {
  const hours = Math.max(1, Math.min(TREND_HOURS, events, Math.ceil((days - recovered) * 24)));
  const steps = (hours * (hours + 1)) / 2;
  return Array.from({ length: hours }, (_, hour) =>
    Math.round((events * hour * (hour + 1)) / 2 / steps),
  );
}
