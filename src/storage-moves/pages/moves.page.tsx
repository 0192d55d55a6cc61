import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../core/ui/components/button.js';
import { SelectField } from '../../core/ui/components/choice-fields.js';
import { Card, PageHeader } from '../../core/ui/components/content.js';
import { Tabs } from '../../core/ui/components/tabs.js';
import { MOVE_KINDS, MOVE_STATES } from '../move-kinds.js';
import { MoveList, type MoveListing } from './move-list.js';
import type { MovesOfDay } from '../move-statistics.repository.js';
import { MOVES_PATH, KIND_LABELS, STATES } from './move.page.js';
import { counted } from '../../core/ui/amounts.js';
import { Cell, Table } from '../../core/ui/components/table.js';
import { FilterForm } from '../../core/ui/components/filter-form.js';

interface MovesPageProps {
  csrfToken: string;
  listing: MoveListing;
  days: MovesOfDay[];
  storages: readonly string[];
}

/** The moves of repositories between storages. */
export function MovesPage({ csrfToken, listing, days, storages }: MovesPageProps): VNode {
  const { query } = listing;
  return (
    <>
      <PageHeader
        title="Storage moves"
        description="Repositories are read-only while they move."
        actions={
          <>
            <ButtonLink href={`${MOVES_PATH}/new`}>Schedule a move</ButtonLink>
            <ButtonLink href={`${MOVES_PATH}/bulk`} variant="outline">
              Drain a storage
            </ButtonLink>
          </>
        }
      />
      <Tabs
        label="Kinds of moves"
        items={MOVE_KINDS.map((kind) => ({
          label: KIND_LABELS[kind],
          href: `${MOVES_PATH}?kind=${kind}`,
        }))}
        current={`${MOVES_PATH}?kind=${query.kind}`}
      />
      <Filters query={query} storages={storages} />
      <MoveList {...listing} csrfToken={csrfToken} />
      <Card title="Moves per day">
        <MovesChart days={days} />
      </Card>
    </>
  );
}

function Filters({
  query,
  storages,
}: Pick<MoveListing, 'query'> & { storages: readonly string[] }) {
  const options = [
    { value: '', label: 'Any storage' },
    ...storages.map((name) => ({ value: name, label: name })),
  ];
  const states = [
    { value: '', label: 'Any state' },
    ...MOVE_STATES.map((state) => ({ value: state, label: STATES[state].label })),
  ];
  return (
    <FilterForm action={MOVES_PATH} label="Filter moves">
      <input type="hidden" name="kind" value={query.kind} />
      <SelectField name="state" label="State" options={states} value={query.state} bare />
      <SelectField
        name="source_storage_name"
        label="From"
        options={options}
        value={query.source_storage_name}
        bare
      />
      <SelectField
        name="destination_storage_name"
        label="To"
        options={options}
        value={query.destination_storage_name}
        bare
      />
      <Button variant="outline">Filter</Button>
    </FilterForm>
  );
}

const WIDTH = 720;
const HEIGHT = 140;
const BASE = HEIGHT - 26;
const TOP = 24;
const GAP = 8;

const COLUMNS = [
  { label: 'Day (UTC)' },
  { label: 'Finished', align: 'end' as const },
  { label: 'Failed', align: 'end' as const },
];

/** Outcomes of the moves of the last days, as bars and as a table. */
function MovesChart({ days }: { days: MovesOfDay[] }): VNode {
  const highest = Math.max(1, ...days.map(({ finished, failed }) => finished + failed));
  const step = WIDTH / Math.max(1, days.length);
  const total = days.reduce((sum, { finished, failed }) => sum + finished + failed, 0);
  if (total === 0) return <p>No move ended in the last {days.length} days.</p>;
  return (
    <figure class="grid grid-cols-1 gap-2">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        class="h-auto w-full max-w-3xl"
        role="img"
        aria-label={`${counted(total, 'move')} ended in these ${days.length} days; the table below has the numbers.`}
      >
        <line x1={0} y1={BASE} x2={WIDTH} y2={BASE} class="stroke-border" />
        {days.map((day, index) => (
          <DayBar key={day.day} day={day} x={index * step} step={step} highest={highest} />
        ))}
      </svg>
      <figcaption class="text-muted-foreground flex flex-wrap gap-4 text-sm">
        <Legend fill="fill-primary" text="Finished" />
        <Legend fill="fill-destructive" text="Failed" />
      </figcaption>
      <details>
        <summary>Numbers</summary>
        <Table caption="Moves per day" columns={COLUMNS}>
          {days.toReversed().map(({ day, finished, failed }) => (
            <tr key={day}>
              <Cell>{day}</Cell>
              <Cell align="end">{finished}</Cell>
              <Cell align="end">{failed}</Cell>
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  );
}

interface DayBarProps {
  day: MovesOfDay;
  x: number;
  step: number;
  highest: number;
}

function DayBar({ day: { day, finished, failed }, x, step, highest }: DayBarProps): VNode {
  const heightOf = (count: number): number => (count / highest) * (BASE - TOP);
  const [done, broken] = [heightOf(finished), heightOf(failed)];
  const bar = { x: x + GAP / 2, width: step - GAP };
  return (
    <g>
      <rect {...bar} y={BASE - done} height={done} class="fill-primary" />
      <rect {...bar} y={BASE - done - broken} height={broken} class="fill-destructive" />
      {finished + failed > 0 && (
        <text
          x={x + step / 2}
          y={BASE - done - broken - 5}
          text-anchor="middle"
          class="fill-foreground text-[1.5rem] sm:text-[0.75rem]"
        >
          {finished + failed}
        </text>
      )}
      <DayLabel day={day.slice(5)} x={x + step / 2} visibility="hidden sm:block text-[0.6875rem]" />
      <DayLabel day={day.slice(8)} x={x + step / 2} visibility="sm:hidden text-[1.375rem]" />
    </g>
  );
}

/** On a telephone the chart is so small that only the day of the month is legible. */
function DayLabel({ day, x, visibility }: { day: string; x: number; visibility: string }): VNode {
  return (
    <text x={x} y={HEIGHT - 5} text-anchor="middle" class={`fill-muted-foreground ${visibility}`}>
      {day}
    </text>
  );
}

function Legend({ fill, text }: { fill: string; text: string }): VNode {
  return (
    <span class="flex items-center gap-1.5">
      <svg viewBox="0 0 10 10" class="size-3" aria-hidden="true">
        <rect width={10} height={10} class={fill} />
      </svg>
      {text}
    </span>
  );
}
