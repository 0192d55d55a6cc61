import type { VNode } from 'preact';
import {
  ChartNumbers,
  sumOf,
  type ChartBar,
  type ChartSeries,
} from '../../../../core/ui/components/bar-chart.js';
import { tickText } from '../../../../core/ui/components/time.js';
import { counted } from '../../../../core/ui/amounts.js';
import { Tabs } from '../../../../core/ui/components/tabs.js';
import { SidePart } from '../event/text-parts.js';

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

const SPANS: Record<TrendSpan, { tab: string; period: string; title: string; unit: string }> = {
  day: { tab: '24 h', period: 'last 24 hours', title: 'Events per hour', unit: 'Hour (UTC)' },
  month: { tab: '30 d', period: 'last 30 days', title: 'Events per day', unit: 'Day (UTC)' },
};

const FILL = 'fill-chart-blue';
const SERIES: ChartSeries[] = [{ label: 'Events', fill: FILL }];

/** Chart of the error's events over time, stored or not. */
export function TrendChart({ span, points, path }: TrendChartProps): VNode {
  const { period, title, unit } = SPANS[span];
  const bars = points.map((point) => barOf(point, span));
  const total = bars.reduce((sum, bar) => sum + sumOf(bar), 0);
  const hrefOf = (one: TrendSpan): string => `${path}?span=${one}`;
  const items = TREND_SPANS.map((one) => ({ label: SPANS[one].tab, href: hrefOf(one) }));
  const tabs = <Tabs label="Time span of the chart" items={items} current={hrefOf(span)} />;
  return (
    <SidePart title={title} actions={tabs}>
      <Bars bars={bars} title={title} description={`${counted(total, 'event')} in the ${period}`} />
      {total > 0 && (
        <details>
          <summary class="text-muted-foreground w-fit">Show data table</summary>
          <ChartNumbers title={title} unit={unit} series={SERIES} bars={bars} />
        </details>
      )}
    </SidePart>
  );
}

const STEP = 10;
const WIDTH = 7;
const HEIGHT = 64;
/** Visible beside a bar a thousand times as high. */
const LOWEST = 2;

/** Bars with tooltips; below them the first and the last time, and the sum. */
function Bars(props: { bars: ChartBar[]; title: string; description: string }): VNode {
  const { bars, title, description } = props;
  const most = Math.max(...bars.map(sumOf), 1);
  const width = bars.length * STEP;
  return (
    <figure>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        class="h-16 w-full"
        role="img"
        aria-label={`${title}: ${description}`}
      >
        <line x1={0} y1={HEIGHT - 0.5} x2={width} y2={HEIGHT - 0.5} class="stroke-border" />
        {bars.map((bar, at) => (
          <Bar key={bar.label} bar={bar} left={at * STEP} scale={(HEIGHT - LOWEST) / most} />
        ))}
      </svg>
      <figcaption class="text-muted-foreground flex justify-between gap-2 text-xs">
        <span>{bars.at(0)?.tick}</span>
        <span>{description}</span>
        <span>{bars.at(-1)?.tick}</span>
      </figcaption>
    </figure>
  );
}

function Bar({ bar, left, scale }: { bar: ChartBar; left: number; scale: number }): VNode {
  const count = sumOf(bar);
  const height = Math.round(Math.max(LOWEST, count * scale) * 10) / 10;
  return (
    <g>
      <title>{`${bar.label}: ${counted(count, 'event')}`}</title>
      <rect x={left} y={0} width={STEP} height={HEIGHT} class="fill-transparent" />
      {count > 0 && (
        <rect x={left + 1.5} y={HEIGHT - height} width={WIDTH} height={height} class={FILL} />
      )}
    </g>
  );
}

function barOf({ start, count }: TrendPoint, span: TrendSpan): ChartBar {
  const [day = '', hour = ''] = start.split('T');
  if (span === 'month') return { label: day, tick: tickText(day), values: [count] };
  return { label: `${day} ${hour}:00`, tick: `${hour}:00`, values: [count] };
}
