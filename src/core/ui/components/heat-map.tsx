import type { VNode } from 'preact';
import { Cell, Table } from './table.js';
import { dayText } from './time.js';

/** One day and how often something happened on it. */
export interface HeatMapDay {
  /** `2026-05-04` */
  day: string;
  count: number;
}

interface HeatMapProps {
  /** Unique on the page. */
  id: string;
  title: string;
  /** The map in a sentence, for those who do not see it. */
  description: string;
  /** Counted unit: `contribution`. */
  unit: string;
  /** Consecutive days, the first a Monday. */
  days: HeatMapDay[];
}

const CELL = 13;
const STEP = 16;
const LEFT = 36;
const TOP = 22;
const WEEK = 7;
const HEIGHT = TOP + WEEK * STEP;
const WEEKDAYS: readonly [row: number, name: string][] = [
  [0, 'Mon'],
  [2, 'Wed'],
  [4, 'Fri'],
];
const MONTH = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });
const LABEL = 'fill-muted-foreground text-[0.6875rem]';

/** From nothing to the most. */
const SHADES = [
  'fill-muted',
  'fill-teal-200 dark:fill-teal-900',
  'fill-teal-400 dark:fill-teal-700',
  'fill-teal-600 dark:fill-teal-500',
  'fill-teal-800 dark:fill-teal-300',
] as const;

/** A square for each day, weeks side by side, drawn on the server; the numbers also as a table. */
export function HeatMap({ id, title, description, unit, days }: HeatMapProps): VNode {
  const most = Math.max(...days.map(({ count }) => count), 0);
  const width = LEFT + Math.ceil(days.length / WEEK) * STEP;
  return (
    <figure class="grid grid-cols-1 gap-3" id={id}>
      {/* In reverse, so that narrow screens show the latest days first. */}
      <div
        class="flex flex-row-reverse overflow-x-auto"
        role="region"
        aria-label={title}
        tabindex={0}
      >
        <svg
          viewBox={`0 0 ${width} ${HEIGHT}`}
          class="w-full min-w-[55rem] shrink-0"
          role="img"
          aria-labelledby={`${id}-title ${id}-desc`}
        >
          <title id={`${id}-title`}>{title}</title>
          <desc id={`${id}-desc`}>{description}</desc>
          {WEEKDAYS.map(([row, name]) => (
            <text key={name} x={0} y={TOP + row * STEP + CELL - 2} class={LABEL}>
              {name}
            </text>
          ))}
          {monthsOf(days).map(({ column, name }) => (
            <text key={column} x={LEFT + column * STEP} y={TOP - 8} class={LABEL}>
              {name}
            </text>
          ))}
          {days.map((day, at) => (
            <Square key={day.day} at={at} text={textOf(day, unit)} shade={shadeOf(day, most)} />
          ))}
        </svg>
      </div>
      <Legend />
      <details>
        <summary class="w-fit">Show data table</summary>
        <Numbers title={title} unit={unit} days={days} />
      </details>
    </figure>
  );
}

function Square({ at, text, shade }: { at: number; text: string; shade: string }): VNode {
  return (
    <rect
      x={LEFT + Math.floor(at / WEEK) * STEP}
      y={TOP + (at % WEEK) * STEP}
      width={CELL}
      height={CELL}
      rx={2}
      class={`${shade} stroke-border`}
    >
      <title>{text}</title>
    </rect>
  );
}

function Legend(): VNode {
  return (
    <figcaption class="text-muted-foreground flex items-center gap-1.5 text-sm">
      None
      {SHADES.map((shade) => (
        <svg key={shade} viewBox="0 0 13 13" class="size-3" aria-hidden="true">
          <rect width={13} height={13} rx={2} class={`${shade} stroke-border`} />
        </svg>
      ))}
      Most
    </figcaption>
  );
}

function Numbers({ title, unit, days }: Omit<HeatMapProps, 'id' | 'description'>): VNode {
  const rows = days.filter(({ count }) => count > 0).toReversed();
  if (rows.length === 0) return <p class="text-muted-foreground mt-2">No data</p>;
  const columns = [{ label: 'Day (UTC)' }, { label: `${unit}s`, align: 'end' as const }];
  return (
    <div
      class="mt-2 max-h-80 overflow-y-auto"
      role="region"
      aria-label={`${title}: numbers`}
      tabindex={0}
    >
      <Table caption={`${title}, by day`} columns={columns}>
        {rows.map(({ day, count }) => (
          <tr key={day}>
            <Cell>{day}</Cell>
            <Cell align="end">{count}</Cell>
          </tr>
        ))}
      </Table>
    </div>
  );
}

/** Each quarter of the most has a shade of its own. */
function shadeOf({ count }: HeatMapDay, most: number): string {
  const step = count === 0 ? 0 : Math.ceil((count / most) * (SHADES.length - 1));
  return SHADES[step] ?? SHADES[0];
}

/** The column in which a month begins; none of the last, where its name would be cut off. */
function monthsOf(days: readonly HeatMapDay[]): { column: number; name: string }[] {
  const last = Math.ceil(days.length / WEEK) - 2;
  return days.flatMap(({ day }, at) => {
    const column = Math.floor(at / WEEK);
    const begins = day.endsWith('-01') && column <= last;
    return begins ? [{ column, name: MONTH.format(new Date(day)) }] : [];
  });
}

/** `3 contributions on Monday, 4 May 2026` */
function textOf({ day, count }: HeatMapDay, unit: string): string {
  const amount = count === 0 ? 'No' : String(count);
  return `${amount} ${unit}${count === 1 ? '' : 's'} on ${dayText(day)}`;
}
