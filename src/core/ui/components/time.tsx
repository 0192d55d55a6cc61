import type { VNode } from 'preact';

interface TimeProps {
  value: Date | string | null;
  /** Shown for null. */
  none?: string;
}

/** A moment in UTC, to the minute; a date without time as it is. */
export function Time({ value, none = 'Never' }: TimeProps): VNode {
  if (value === null) return <span class="text-muted-foreground">{none}</span>;
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)) {
    return <time dateTime={value}>{value}</time>;
  }
  const iso = new Date(value).toISOString();
  return (
    <time class="whitespace-nowrap" dateTime={iso}>
      {`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`}
    </time>
  );
}
