import type { VNode } from 'preact';
import { countText } from '../amounts.js';
import { Cell, Table } from './table.js';

/** One series of the bars, with its color. */
export interface ChartSeries {
  label: string;
  /** Utilities that colour it in both schemes: `fill-chart-red`. */
  fill: string;
}

/** One bar, its parts from the bottom up. */
export interface ChartBar {
  /** Full name, for the table and the tooltip. */
  label: string;
  /** Below the bar on wide screens; null where there would be too many. */
  tick: string | null;
  /** As many as there are series. */
  values: number[];
}

interface BarChartProps {
  /** Unique on the page. */
  id: string;
  title: string;
  /** The chart in a sentence, for those who do not see it. */
  description: string;
  /** Heading of the names of the bars: `Hour (UTC)`. */
  unit: string;
  series: ChartSeries[];
  bars: ChartBar[];
}

const WIDTH = 1000;
const HEIGHT = 260;
const LEFT = 72;
const RIGHT = WIDTH - 24;
const TOP = 16;
const BASE = HEIGHT - 44;
/** The smaller the drawing, the larger its letters have to be. */
const LABEL = 'fill-muted-foreground text-[2rem] sm:text-[0.875rem] @4xl:text-[0.6875rem]';

/** Stacked bars drawn on the server, and the same numbers as a table; without a script. */
export function BarChart({ id, title, description, unit, series, bars }: BarChartProps): VNode {
  const scale = chartScale(Math.max(...bars.map(sumOf), 0));
  const used = series.filter((_, index) => bars.some(({ values }) => (values[index] ?? 0) > 0));
  return (
    <figure class="@container grid grid-cols-1 gap-3" id={id}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        class="h-auto w-full"
        role="img"
        aria-labelledby={`${id}-title ${id}-desc`}
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-desc`}>{description}</desc>
        {scale.lines.map((value) => (
          <GridLine key={value} value={value} y={heightAt(value, scale.top)} />
        ))}
        {bars.map((bar, index) => (
          <Bar
            key={bar.label}
            bar={bar}
            place={{ index, of: bars.length, top: scale.top }}
            series={series}
          />
        ))}
      </svg>
      {used.length > 0 && <Legend series={used} />}
      <details>
        <summary class="w-fit">Show data table</summary>
        <ChartNumbers title={title} unit={unit} series={series} bars={bars} />
      </details>
    </figure>
  );
}

function GridLine({ value, y }: { value: number; y: number }): VNode {
  return (
    <g>
      <line x1={LEFT} y1={y} x2={RIGHT} y2={y} class="stroke-border" />
      <text x={LEFT - 10} y={y} dy="0.35em" text-anchor="end" class={LABEL}>
        {compact(value)}
      </text>
    </g>
  );
}

interface BarProps {
  bar: ChartBar;
  place: { index: number; of: number; top: number };
  series: ChartSeries[];
}

function Bar({ bar, place, series }: BarProps): VNode {
  const step = (RIGHT - LEFT) / place.of;
  const left = LEFT + place.index * step;
  const parts = stacked(bar.values, place.top);
  return (
    <g>
      <title>{barText(bar, series)}</title>
      <rect x={left} y={TOP} width={step} height={BASE - TOP} class="fill-transparent" />
      {parts.map(({ series: at, y, height }) => (
        <rect
          key={at}
          x={left + step * 0.12}
          y={y}
          width={step * 0.76}
          height={height}
          class={`${series[at]?.fill ?? ''} stroke-card`}
        />
      ))}
      {bar.tick !== null && (
        <text
          x={left + step / 2}
          y={HEIGHT - 12}
          text-anchor="middle"
          class={`${LABEL} ${place.index % 2 === 0 ? '' : 'max-sm:hidden'}`}
        >
          {bar.tick}
        </text>
      )}
    </g>
  );
}

interface Part {
  series: number;
  y: number;
  height: number;
}

/** The parts of a bar that are there, from the bottom up. */
function stacked(values: number[], top: number): Part[] {
  let below = 0;
  return values.flatMap((value, series) => {
    if (value === 0) return [];
    const [low, high] = [heightAt(below, top), heightAt(below + value, top)];
    below += value;
    return [{ series, y: high, height: low - high }];
  });
}

function heightAt(value: number, top: number): number {
  return Math.round((BASE - (value / top) * (BASE - TOP)) * 100) / 100;
}

function Legend({ series }: { series: ChartSeries[] }): VNode {
  return (
    <figcaption class="text-muted-foreground flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {series.map(({ label, fill }) => (
        <span key={label} class="flex items-center gap-1.5">
          <svg viewBox="0 0 10 10" class="size-3" aria-hidden="true">
            <rect width={10} height={10} rx={2} class={fill} />
          </svg>
          {label}
        </span>
      ))}
    </figcaption>
  );
}

/** Tooltip of a bar: `2026-03-01 10:00: 3 critical, 1 high`. */
export function barText({ label, values }: ChartBar, series: ChartSeries[]): string {
  const parts = values.flatMap((value, index) =>
    value === 0 ? [] : [`${countText(value)} ${series[index]?.label.toLowerCase() ?? ''}`],
  );
  return `${label}: ${parts.length === 0 ? 'none' : parts.join(', ')}`;
}

function compact(value: number): string {
  return value.toLocaleString('en', { notation: 'compact' });
}

/** Where a chart ends at the top, and its lines. */
interface ChartScale {
  top: number;
  /** Values from 0 to `top`, whole numbers. */
  lines: number[];
}

const MOST_LINES = 4;
const STEPS = [1, 2, 5];

/** The scale of a chart of counts: the smallest round step with at most four of them. */
export function chartScale(highest: number): ChartScale {
  const step = roundStep(Math.max(1, highest) / MOST_LINES);
  const count = Math.max(1, Math.ceil(highest / step));
  return { top: count * step, lines: Array.from({ length: count + 1 }, (_, at) => at * step) };
}

/** The smallest of 1, 2, 5, 10, 20, … that is not below. */
function roundStep(least: number): number {
  for (let power = 1; ; power *= 10) {
    const step = STEPS.find((factor) => factor * power >= least);
    if (step !== undefined) return step * power;
  }
}

interface ChartNumbersProps {
  title: string;
  unit: string;
  series: ChartSeries[];
  bars: ChartBar[];
}

/** The numbers of a chart, latest first: the bars that have a height, the series that are there. */
export function ChartNumbers({ title, unit, series, bars }: ChartNumbersProps): VNode {
  const rows = bars.filter((bar) => sumOf(bar) > 0).toReversed();
  if (rows.length === 0) return <p class="text-muted-foreground mt-2">No data</p>;
  const used = series.flatMap(({ label }, index) =>
    rows.some(({ values }) => (values[index] ?? 0) > 0) ? [{ label, index }] : [],
  );
  const heads = [...used.map(({ label }) => label), 'Total'];
  const columns = [{ label: unit }, ...heads.map((label) => ({ label, align: 'end' as const }))];
  return (
    <div class="mt-2">
      <Table caption={title} columns={columns}>
        {rows.map((bar) => (
          <tr key={bar.label}>
            <Cell>{bar.label}</Cell>
            {used.map(({ label, index }) => (
              <Cell key={label} align="end">
                {bar.values[index]}
              </Cell>
            ))}
            <Cell align="end">{sumOf(bar)}</Cell>
          </tr>
        ))}
      </Table>
    </div>
  );
}

/** The height of a bar. */
export function sumOf({ values }: ChartBar): number {
  return values.reduce((sum, value) => sum + value, 0);
}
