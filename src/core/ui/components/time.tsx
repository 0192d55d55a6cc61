import type { VNode } from 'preact';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      /** Element of @github/relative-time-element; shows its content until the script runs. */
      'relative-time': {
        class: string;
        datetime: string;
        prefix: string;
        children: string;
      };
    }
  }
}

interface TimeProps {
  value: Date | string | null;
  /** Shown for null. */
  none?: string;
}

/**
 * A moment: relative to now with the local time in its title, or in UTC without a script; a date
 * without time as it is.
 */
export function Time({ value, none = 'Never' }: TimeProps): VNode {
  if (value === null) return <span class="text-muted-foreground">{none}</span>;
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)) {
    return <time dateTime={value}>{value}</time>;
  }
  const iso = new Date(value).toISOString();
  return (
    <relative-time class="whitespace-nowrap" datetime={iso} prefix="">
      {`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`}
    </relative-time>
  );
}
