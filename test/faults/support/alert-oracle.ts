import { expect } from '@jest/globals';
import { alertName, tally, type AlertCall, type AlertLedger } from './alert-ledger.js';
import type { FaultStack } from './stack.js';

interface AlertRow {
  projectId: number;
  iid: number;
  title: string;
  status: number;
  events: number;
  notes: string[];
  incidentsAsked: number;
}

interface DeliveryRow {
  mark: string;
  iids: number[];
}

const ALERTS_SQL = `
  SELECT a.project_id AS "projectId", a.iid, a.title, a.status, a.event_count AS events,
    ARRAY(SELECT n.body FROM notes n WHERE n.alert_id = a.id ORDER BY n.id) AS notes,
    (SELECT count(*)::int FROM alert_reactions r
     WHERE r.alert_id = a.id AND r.kind = 'open_incident') AS "incidentsAsked"
  FROM alerts a WHERE a.project_id = ANY($1) ORDER BY a.project_id, a.iid`;

const DELIVERIES_SQL = `
  SELECT convert_from(payload, 'UTF8')::json ->> 'mark' AS mark, alert_iids::int[] AS iids
  FROM alert_deliveries d JOIN alert_integrations i ON i.id = d.integration_id
  WHERE d.status = 200 AND i.project_id = ANY($1)`;

const COUNTERS_SQL = `
  SELECT project_id AS project, last_iid AS last FROM alert_counters WHERE project_id = ANY($1)`;

/** Compares stored data with the responses to the senders. No worker may have run. */
export class AlertOracle {
  private constructor(
    private readonly ledger: AlertLedger,
    readonly alerts: readonly AlertRow[],
    private readonly deliveries: ReadonlyMap<string, DeliveryRow[]>,
    private readonly counters: ReadonlyMap<number, number>,
  ) {}

  static async read(stack: FaultStack, ledger: AlertLedger): Promise<AlertOracle> {
    const projects = [[...new Set(ledger.calls.map(({ projectId }) => projectId))]];
    const deliveries = await stack.rows<DeliveryRow>(DELIVERIES_SQL, projects);
    const counters = await stack.rows<{ project: number; last: number }>(COUNTERS_SQL, projects);
    const alerts = await stack.rows<AlertRow>(ALERTS_SQL, projects);
    return new AlertOracle(
      ledger,
      alerts,
      grouped(deliveries, ({ mark }) => mark),
      new Map(counters.map(({ project, last }) => [project, last])),
    );
  }

  /** Each acknowledged call has one delivery that names its alerts; each other one has one or none. */
  assertDeliveries(): void {
    const { calls } = this.ledger;
    const stored = calls.filter(({ ending }) => ending === 'stored');
    const found = stored.map(({ mark }) => this.iidsOf(mark));
    expect(found).toEqual(stored.map(({ touched }) => [touched.map(({ iid }) => iid)]));
    const untold = calls.filter(({ ending }) => ending === 'untold');
    expect(untold.filter(({ mark }) => this.iidsOf(mark).length > 1)).toEqual([]);
    const never = calls.filter(({ ending }) => ending === 'unsent' || ending === 'refused');
    expect(never.filter(({ mark }) => this.iidsOf(mark).length > 0)).toEqual([]);
  }

  /** Counters are what the deliveries tell, so at least what was acknowledged, and not a bit more. */
  assertCounters(): void {
    const counted = new Map<string, number>();
    for (const { projectId, title, events } of this.alerts) {
      const name = alertName(projectId, title);
      counted.set(name, (counted.get(name) ?? 0) + events);
    }
    expect(sorted(counted)).toEqual(sorted(tally(this.delivered())));
    const [least, most] = [this.ledger.fired('stored'), this.ledger.fired('stored', 'untold')];
    const lost = [...least].filter(([name, events]) => (counted.get(name) ?? 0) < events);
    const invented = [...counted].filter(([name, events]) => events > (most.get(name) ?? 0));
    expect({ lost, invented }).toEqual({ lost: [], invented: [] });
  }

  /**
   * Asserts that stored alerts match their responses, numbers have no gaps, and at most one alert
   * is open.
   */
  assertAlerts(): void {
    const titles = new Map(
      this.alerts.map((row) => [alertName(row.projectId, `#${row.iid}`), row]),
    );
    for (const { projectId, touched } of this.ledger.calls) {
      for (const { iid, title } of touched) {
        expect(titles.get(alertName(projectId, `#${iid}`))?.title).toBe(title);
      }
    }
    for (const [projectId, rows] of grouped(this.alerts, (row) => row.projectId)) {
      expect(rows.map(({ iid }) => iid)).toEqual(rows.map((_, at) => at + 1));
      expect(this.counters.get(projectId)).toBe(rows.length);
    }
    const open = this.alerts.filter(({ status }) => status !== 2);
    const names = open.map(({ projectId, title }) => alertName(projectId, title));
    expect(new Set(names).size).toBe(names.length);
  }

  /** Alerts whose end was acknowledged are over, and each says once that it began and ended. */
  assertHistories(): void {
    const ended = new Set(this.ledger.ended);
    expect(this.alerts.filter(({ title, status }) => ended.has(title) && status !== 2)).toEqual([]);
    for (const { title, status, notes, incidentsAsked } of this.alerts) {
      const isOver = status === 2;
      const kinds = notes.map((body) => body.replace(/ from .*/, ''));
      const wanted = ['logged an alert', ...(isOver ? OVER : [])];
      expect({ title, kinds, incidentsAsked }).toEqual({ title, kinds: wanted, incidentsAsked: 1 });
    }
  }

  /** All that must hold. */
  assertAll(): void {
    this.assertDeliveries();
    this.assertCounters();
    this.assertAlerts();
    this.assertHistories();
  }

  /** Calls that were stored without a response. */
  get storedUntold(): number {
    const isUntold = ({ ending }: AlertCall): boolean => ending === 'untold';
    return this.delivered().filter(isUntold).length;
  }

  private delivered(): AlertCall[] {
    return this.ledger.calls.filter(({ mark }) => this.iidsOf(mark).length > 0);
  }

  private iidsOf(mark: string): number[][] {
    return (this.deliveries.get(mark) ?? []).map(({ iids }) => iids);
  }
}

const OVER = ['logged a recovery alert', 'changed the status to **Resolved**'];

function sorted(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
}

function grouped<Key, Row>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const known = groups.get(keyOf(row));
    if (known === undefined) groups.set(keyOf(row), [row]);
    else known.push(row);
  }
  return groups;
}
