import type { VNode } from 'preact';
import { PageServices } from './page-services.js';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      /** Element of @github/relative-time-element; shows its content until the script runs. */
      'relative-time': {
        class: string;
        datetime: string;
        prefix: string;
        children: ComponentChildren;
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
 * A moment: relative to now with the local time in its title, or in the time zone of the
 * preferences without a script, which is UTC by default; a date without time in words.
 */
export function Time({ value, none = 'Never' }: TimeProps): VNode {
  if (value === null) return <span class="none">{none}</span>;
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)) {
    return <time dateTime={value}>{dateText(value)}</time>;
  }
  const iso = new Date(value).toISOString();
  return (
    <relative-time class="whitespace-nowrap" datetime={iso} prefix="">
      <PageServices.Consumer>
        {(services) => absoluteTime(iso, services?.timeZone ?? '')}
      </PageServices.Consumer>
    </relative-time>
  );
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-05-04 13:30 UTC`, or with another abbreviation in another time zone. */
function absoluteTime(iso: string, zone: string): string {
  if (zone === '' || zone === 'UTC') return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(new Date(iso))
      .map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, timeZoneName } = parts;
  return `${year}-${month}-${day} ${hour}:${minute} ${timeZoneName}`;
}

/** Making a format takes longer than using it a hundred times. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  formats.set(timeZone, format);
  return format;
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July'].concat([
  'August',
  'September',
  'October',
  'November',
  'December',
]);

/** `2026-05-04` → `May 4, 2026`, as the script writes times that are long ago. */
export function dateText(day: string): string {
  const date = new Date(day);
  const month = (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3);
  return `${month} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}

/** `2026-05-04` → `May 4`, below the bars of a chart. */
export function tickText(day: string): string {
  return dateText(day).replace(/,.*/s, '');
}

/** `2026-05-04` → `Monday, 4 May 2026`. Pages name a year of days: `Intl` takes ten times as long. */
export function dayText(day: string): string {
  const date = new Date(day);
  const month = MONTHS[date.getUTCMonth()] ?? '';
  return `${WEEKDAYS[date.getUTCDay()] ?? ''}, ${date.getUTCDate()} ${month} ${date.getUTCFullYear()}`;
}
