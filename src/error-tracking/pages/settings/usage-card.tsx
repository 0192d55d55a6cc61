import type { VNode } from 'preact';
import { tickText } from '../../../core/ui/components/time.js';
import { countText, counted } from '../../../core/ui/amounts.js';
import {
  BarChart,
  type ChartBar,
  type ChartSeries,
} from '../../../core/ui/components/bar-chart.js';
import { Card } from '../../../core/ui/components/content.js';
import { Cell, Table } from '../../../core/ui/components/table.js';
import { ERROR_OUTCOMES, type ErrorOutcomeKind } from '../../error-values.js';
import type { ErrorUsageResponse } from '../../settings/error-usage.service.js';

interface UsageCardProps {
  /** All days of the chart, oldest first. */
  days: string[];
  rows: ErrorUsageResponse[];
}

const FILLS: Record<ErrorOutcomeKind, string> = {
  accepted: 'fill-chart-blue',
  dropped: 'fill-chart-grey',
  refused: 'fill-chart-red',
  lost_by_client: 'fill-chart-amber',
};

/** Labels of the outcomes. */
const OUTCOME_TEXTS: Record<ErrorOutcomeKind, string> = {
  accepted: 'Accepted',
  dropped: 'Dropped',
  refused: 'Rejected',
  lost_by_client: 'Discarded by client',
};

const SERIES: ChartSeries[] = ERROR_OUTCOMES.map((outcome) => ({
  label: OUTCOME_TEXTS[outcome],
  fill: FILLS[outcome],
}));

const TICK_STEP = 5;

/** Outcomes of the events of the last days: per day and in total. */
export function UsageCard({ days, rows }: UsageCardProps): VNode {
  const title = `Usage in the last ${days.length} days`;
  if (rows.length === 0) {
    return (
      <Card title={title}>
        <p class="text-muted-foreground">No data received yet.</p>
      </Card>
    );
  }
  const accepted = rows.filter(({ outcome }) => outcome === 'accepted');
  return (
    <Card title={title}>
      <BarChart
        id="usage"
        title={title}
        description={`${counted(sum(accepted), 'accepted event')} and other outcomes by day. The numbers are in the table below.`}
        unit="Day (UTC)"
        series={SERIES}
        bars={days.map((day, index) => barOf(day, { rows, left: days.length - 1 - index }))}
      />
      <Totals rows={rows} />
    </Card>
  );
}

/** `left` days follow: every fifth one has its date below it, the last one too. */
function barOf(
  day: string,
  { rows, left }: { rows: readonly ErrorUsageResponse[]; left: number },
): ChartBar {
  const ofDay = rows.filter((row) => row.day === day);
  const values = ERROR_OUTCOMES.map((outcome) =>
    sum(ofDay.filter((row) => row.outcome === outcome)),
  );
  return { label: day, tick: left % TICK_STEP === 0 ? tickText(day) : null, values };
}

function Totals({ rows }: { rows: readonly ErrorUsageResponse[] }): VNode {
  return (
    <Table
      caption="Usage by outcome, kind and reason"
      columns={[
        { label: 'Outcome' },
        { label: 'Kind' },
        { label: 'Reason' },
        { label: 'Count', align: 'end' },
      ]}
    >
      {totalsOf(rows).map(({ outcome, category, reason, quantity }) => (
        <tr key={`${outcome} ${category} ${reason}`}>
          <Cell>{OUTCOME_TEXTS[outcome]}</Cell>
          <Cell>{sentenceCase(category)}</Cell>
          <Cell wrap>{reasonText(reason)}</Cell>
          <Cell align="end">{countText(quantity)}</Cell>
        </tr>
      ))}
    </Table>
  );
}

type Total = Omit<ErrorUsageResponse, 'day'>;

/** By outcome, the largest numbers first. */
function totalsOf(rows: readonly ErrorUsageResponse[]): Total[] {
  const totals = new Map<string, Total>();
  for (const { outcome, category, reason, quantity } of rows) {
    const name = JSON.stringify([outcome, category, reason]);
    const before = totals.get(name)?.quantity ?? 0;
    totals.set(name, { outcome, category, reason, quantity: before + quantity });
  }
  return [...totals.values()].toSorted(
    (one, other) =>
      ERROR_OUTCOMES.indexOf(one.outcome) - ERROR_OUTCOMES.indexOf(other.outcome) ||
      other.quantity - one.quantity,
  );
}

function sum(rows: readonly { quantity: number }[]): number {
  return rows.reduce((total, { quantity }) => total + quantity, 0);
}

/** Labels of reasons whose names need one. */
const REASON_TEXTS: Record<string, string> = {
  before_send: 'before_send filter',
  event_processor: 'Event processor',
  sample_rate: 'Client-side sampling',
  ratelimit_backoff: 'Rate limit back-off',
  network_error: 'Network error',
  send_error: 'Server error response',
  queue_overflow: 'Client queue overflow',
  cache_overflow: 'Client queue overflow',
  backpressure: 'Client queue overflow',
  internal_sdk_error: 'SDK error',
  insufficient_data: 'Empty event',
  not_supported: 'Not supported',
  more_than_one: 'More than one event per request',
  overloaded: 'Server overloaded',
};

/** `quota` → `Quota`; empty where there is nothing to explain. */
function reasonText(reason: string): string {
  return REASON_TEXTS[reason] ?? sentenceCase(reason);
}

/** `log_item` → `Log item`. */
function sentenceCase(word: string): string {
  const text = word.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
