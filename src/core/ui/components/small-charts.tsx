import type { VNode } from 'preact';

interface SparklineProps {
  /** One for each bar, oldest first. */
  values: readonly number[];
  /** The drawing in a sentence, for those who do not see it. */
  label: string;
  /** As wide as its container. */
  wide?: boolean | undefined;
}

const STEP = 6;
const BAR = 4;
const HEIGHT = 28;
/** Enough to be seen beside a bar a thousand times as high. */
const LOWEST = 2;

/** Small bars without axes, drawn on the server: how something went, in the row of a list. */
export function Sparkline({ values, label, wide }: SparklineProps): VNode {
  const most = Math.max(...values, 0);
  const width = values.length * STEP;
  return (
    <svg
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      class={wide === true ? 'h-12 w-full' : 'h-7 w-24'}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <line x1={0} y1={HEIGHT - 0.5} x2={width} y2={HEIGHT - 0.5} class="stroke-border" />
      {values.map((value, index) => (
        <Bar key={index} at={index} height={heightOf(value, most)} />
      ))}
    </svg>
  );
}

function Bar({ at, height }: { at: number; height: number }): VNode | null {
  if (height === 0) return null;
  return (
    <rect
      x={at * STEP + (STEP - BAR) / 2}
      y={HEIGHT - height}
      width={BAR}
      height={height}
      class="fill-chart-blue"
    />
  );
}

function heightOf(value: number, most: number): number {
  if (value <= 0) return 0;
  return Math.max(LOWEST, Math.round((value / most) * (HEIGHT - 2) * 10) / 10);
}

interface BarProps {
  value: number;
  max: number;
  /** Accessible name of the measured value. */
  label: string;
}

/** Progress bar; indeterminate without `value`. */
export function ProgressBar({
  value,
  max,
  label,
}: Omit<BarProps, 'value'> & { value?: number }): VNode {
  return <progress class="my-2 block" value={value} max={max} aria-label={label} />;
}

/** Parts of a capacity from which it is nearly and almost wholly used. */
const NEARLY = 0.75;
const ALMOST = 0.9;

/** Usage bar; changes its color when little is left. */
export function CapacityBar({ value, max, label }: BarProps): VNode {
  return (
    <meter
      class="my-2 block"
      min={0}
      max={max}
      low={max * NEARLY}
      high={max * ALMOST}
      optimum={0}
      value={value}
      aria-label={label}
    />
  );
}
