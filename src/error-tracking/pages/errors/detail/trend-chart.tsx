import type { VNode } from 'preact';
import { counted } from '../../../../core/ui/amounts.js';
import {
  BarChart,
  type ChartBar,
  type ChartSeries,
} from '../../../../core/ui/components/bar-chart.js';
import { sumOf } from '../../../../core/ui/components/chart-numbers.js';
import { Card } from '../../../../core/ui/components/content.js';
import { Tabs } from '../../../../core/ui/components/tabs.js';

/** Time spans of the chart. */
export const TREND_SPANS = ['day', 'month'] as const;
export type TrendSpan = (typeof TREND_SPANS)[number];

/** Number of events in an hour or on a day. */
export interface TrendPoint {
  /** ISO 8601 in UTC: `2026-03-01T10`, `2026-03-01`. */
  start: string;
  count: number;
}

interface TrendChartProps {
  span: TrendSpan;
  points: TrendPoint[];
  /** The page without a span. */
  path: string;
}

const SPANS: Record<TrendSpan, { tab: string; title: string; unit: string }> = {
  day: { tab: 'Last 24 hours', title: 'Events per hour', unit: 'Hour (UTC)' },
  month: { tab: 'Last 30 days', title: 'Events per day', unit: 'Day (UTC)' },
};

const SERIES: ChartSeries[] = [{ label: 'Events', fill: 'fill-sky-700 dark:fill-sky-400' }];
const TICK_STEP = 3;

/** Chart of the error's events over time, stored or not. */
export function TrendChart({ span, points, path }: TrendChartProps): VNode {
  const { tab, title, unit } = SPANS[span];
  const bars = points.map((point, index) => barOf(point, span, points.length - 1 - index));
  const total = bars.reduce((sum, bar) => sum + sumOf(bar), 0);
  const hrefOf = (one: TrendSpan): string => `${path}?span=${one}`;
  const items = TREND_SPANS.map((one) => ({ label: SPANS[one].tab, href: hrefOf(one) }));
  const tabs = (
    <Tabs label="Time of the chart" variant="pills" items={items} current={hrefOf(span)} />
  );
  return (
    <Card title={title} actions={tabs}>
      {total === 0 ? (
        <p class="text-muted-foreground">No event came in this time.</p>
      ) : (
        <BarChart
          id="trend"
          title={title}
          description={`${counted(total, 'event')} in the ${tab.toLowerCase()}. The numbers are in the table below.`}
          unit={unit}
          series={SERIES}
          bars={bars}
        />
      )}
    </Card>
  );
}

/** `left` bars follow: every third one has its time below it, the last one too. */
function barOf({ start, count }: TrendPoint, span: TrendSpan, left: number): ChartBar {
  const [day = '', hour = ''] = start.split('T');
  const hasTick = left % TICK_STEP === 0;
  if (span === 'month') return { label: day, tick: hasTick ? day.slice(5) : null, values: [count] };
  return { label: `${day} ${hour}:00`, tick: hasTick ? `${hour}:00` : null, values: [count] };
}
