import type { ComponentChildren, VNode } from 'preact';
import { countText } from '../amounts.js';
import {
  barText,
  ChartNumbers,
  chartScale,
  sumOf,
  type ChartBar,
  type ChartSeries,
} from './bar-chart.js';

interface TrendChartProps {
  /** Unique on the page. */
  id: string;
  /** Heading of the table with the numbers: `New alerts per hour`. */
  title: string;
  /** Above the total: `Last 24 hours`. */
  span: string;
  /** The chart in a sentence, for those who do not see it. */
  description: string;
  /** Heading of the names of the bars: `Hour (UTC)`. */
  unit: string;
  series: ChartSeries[];
  bars: ChartBar[];
  /** Below the total: links to other spans. */
  children?: ComponentChildren;
}

const HEIGHT = 76;
const TOP = 5;
const BASE = HEIGHT - 18;
/** Seen beside a bar a thousand times as high. */
const LOWEST = 2;
const LABEL = 'fill-muted-foreground text-[0.6875rem]';

/**
 * Total and stacked bars in a strip above the list that it counts, drawn on the server. Bars have
 * tooltips; a popover has the numbers as a table.
 */
export function TrendChart(props: TrendChartProps): VNode {
  const { id, title, span, unit, series, bars, children } = props;
  const total = bars.reduce((sum, bar) => sum + sumOf(bar), 0);
  return (
    <figure class="trend" id={id} aria-label={title}>
      <figcaption>
        <span>{span}</span>
        <strong>{countText(total)}</strong>
        <div>
          {children}
          {total > 0 && (
            <button type="button" popovertarget={`${id}-data`}>
              Data
            </button>
          )}
        </div>
      </figcaption>
      {total === 0 ? <p>No data</p> : <Plot {...props} />}
      <div class="popup" id={`${id}-data`} popover="auto" aria-label={title}>
        <h2>{title}</h2>
        <ChartNumbers title={title} unit={unit} series={series} bars={bars} />
      </div>
    </figure>
  );
}

function Plot({ id, title, description, series, bars }: TrendChartProps): VNode {
  const { top } = chartScale(Math.max(...bars.map(sumOf)));
  const step = 100 / bars.length;
  return (
    <svg height={HEIGHT} role="img" aria-labelledby={`${id}-title ${id}-desc`}>
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-desc`}>{description}</desc>
      {[0, top / 2, top].map((value) => (
        <line
          key={value}
          x1="0"
          x2="100%"
          y1={heightAt(value, top)}
          y2={heightAt(value, top)}
          class="stroke-border"
        />
      ))}
      {bars.map((bar, index) => (
        <Bar key={bar.label} bar={bar} index={index} step={step} {...{ series, top }} />
      ))}
      <text x="2" y={TOP + 11} class={LABEL}>
        {top.toLocaleString('en', { notation: 'compact' })}
      </text>
    </svg>
  );
}

interface BarProps {
  bar: ChartBar;
  index: number;
  /** In percent of the width. */
  step: number;
  series: ChartSeries[];
  top: number;
}

function Bar({ bar, index, step, series, top }: BarProps): VNode {
  const left = index * step;
  const isLast = Math.round(left + step) === 100;
  let below = 0;
  return (
    <g>
      <title>{barText(bar, series)}</title>
      <rect x={percent(left)} width={percent(step)} y="0" height={BASE} class="fill-transparent" />
      {bar.values.map((value, at) => {
        if (value === 0) return null;
        const low = heightAt(below, top);
        below += value;
        const height = Math.max(LOWEST, low - heightAt(below, top));
        return (
          <rect
            key={at}
            x={percent(left + step * 0.14)}
            width={percent(step * 0.72)}
            y={round(low - height)}
            height={round(height)}
            rx="1.5"
            class={series[at]?.fill}
          />
        );
      })}
      {bar.tick !== null && (
        <text
          x={percent(isLast ? 100 : left + step / 2)}
          y={HEIGHT - 4}
          text-anchor={isLast ? 'end' : 'middle'}
          class={index % 2 === 0 ? `${LABEL} max-sm:hidden` : LABEL}
        >
          {bar.tick}
        </text>
      )}
    </g>
  );
}

function heightAt(value: number, top: number): number {
  return round(BASE - (value / top) * (BASE - TOP));
}

function percent(value: number): string {
  return `${round(value)}%`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
