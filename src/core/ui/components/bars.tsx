import type { VNode } from 'preact';

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
