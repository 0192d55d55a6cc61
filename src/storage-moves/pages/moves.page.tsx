import type { VNode } from 'preact';
import type { Page } from '../../core/pagination/page.js';
import { filledAddress } from '../../core/ui/addresses.js';
import { ButtonLink } from '../../core/ui/components/button.js';
import { FilterBar } from '../../core/ui/components/filter-bar.js';
import { Item, ItemList, Pagination, pagingParams } from '../../core/ui/components/list.js';
import { tickText } from '../../core/ui/components/time.js';
import { countText } from '../../core/ui/amounts.js';
import type { ChartBar, ChartSeries } from '../../core/ui/components/bar-chart.js';
import { Badge, Card, EmptyState, PageHeader } from '../../core/ui/components/content.js';
import { LiveRegion } from '../../core/ui/components/live-region.js';
import { TrendChart } from '../../core/ui/components/trend-chart.js';
import { MOVE_KINDS, MOVE_STATES } from '../move-kinds.js';
import type { ListedBatch, MovesOfDay, OpenMoves } from '../move-statistics.repository.js';
import { drainsOf, isOpenDrain, OpenDrain, RecentDrains } from './drains.js';
import {
  isOpen,
  KIND_LABELS,
  MoveBadge,
  MoveButtons,
  MoveProgress,
  MOVES_PATH,
  STATES,
  type ShownMove,
} from './move.page.js';
import { StorageStrip, type ShownStorage } from './storage-strip.js';

const SECONDS_WHEN_BUSY = 2;
const SECONDS_WHEN_IDLE = 15;

/** Data of the live part of the page. */
export interface MoveListing {
  moves: Page<ShownMove>;
  open: OpenMoves;
  batches: ListedBatch[];
  days: MovesOfDay[];
  /** Filters, for the addresses of other pages and of the live part. */
  query: {
    kind: string;
    state: string;
    source_storage_name: string;
    destination_storage_name: string;
  };
  paging: { page: number; perPage: number };
}

/**
 * Returns true if a displayed move is still running. The parts were read one after another while
 * moves started and ended, so no part can decide for the others that nothing is running.
 */
function isBusy({ moves, open, batches }: MoveListing): boolean {
  if (open.waiting + open.running > 0 || moves.items.some(isOpen)) return true;
  return drainsOf(batches).some(isOpenDrain);
}

/** Drains, moves with their progress, and how moves ended; refreshed automatically. */
export function MoveList({ csrfToken, ...listing }: MoveListing & { csrfToken: string }): VNode {
  const { moves, batches, days, query, paging } = listing;
  const drains = drainsOf(batches);
  return (
    <LiveRegion
      id="moves"
      href={filledAddress(`${MOVES_PATH}/live`, { ...query, ...pagingParams(paging) })}
      seconds={isBusy(listing) ? SECONDS_WHEN_BUSY : SECONDS_WHEN_IDLE}
      label="Moves"
    >
      <div class="grid grid-cols-1 gap-4">
        {drains.filter(isOpenDrain).map((drain) => (
          <OpenDrain key={drain.id} drain={drain} />
        ))}
        {moves.items.length === 0 ? (
          <EmptyState title={isFiltered(query) ? 'No moves match these filters' : 'No moves yet'}>
            Move a repository to another storage, or drain a storage before maintenance.
          </EmptyState>
        ) : (
          <Card flush>
            <ItemList label="Moves">
              {moves.items.map((move) => (
                <MoveLine key={`${move.kind} ${move.id}`} move={move} csrfToken={csrfToken} />
              ))}
            </ItemList>
          </Card>
        )}
        <Pagination page={moves} paging={paging} path={MOVES_PATH} query={query} />
        <DaysChart days={days} />
        <RecentDrains drains={drains.filter((drain) => !isOpenDrain(drain))} />
      </div>
    </LiveRegion>
  );
}

function isFiltered(query: MoveListing['query']): boolean {
  return Object.values(query).some((value) => value !== '');
}

/** Number of open moves, beside the title; live answers bring it along. */
export function OpenCount({ open, isLive }: { open: OpenMoves; isLive?: true }): VNode {
  const { running, waiting } = open;
  const swap = isLive === true ? { 'hx-swap-oob': 'true' } : {};
  return (
    <span id="open-moves" {...swap}>
      {running + waiting > 0 && (
        <Badge tone="info">{`${countText(running)} running · ${countText(waiting)} queued`}</Badge>
      )}
    </span>
  );
}

function MoveLine({ move, csrfToken }: { move: ShownMove; csrfToken: string }): VNode {
  return (
    <Item
      id={`move-${move.kind}-${move.id}`}
      title={
        <>
          <a class="tabular-nums" href={`${MOVES_PATH}/${move.kind}/${move.id}`}>
            #{move.id}
          </a>
          <a class="wrap-anywhere" href={move.container.href}>
            {move.container.label}
          </a>
          {move.kind !== 'project' && <Badge>{KIND_LABELS[move.kind].slice(0, -1)}</Badge>}
          <MoveBadge move={move} />
          <span class="item-detail max-sm:hidden">
            {move.source_storage_name} → {move.destination_storage_name}
          </span>
        </>
      }
      actions={<MoveButtons move={move} csrfToken={csrfToken} />}
    >
      <MoveProgress move={move} />
    </Item>
  );
}

const OUTCOMES: ChartSeries[] = [
  { label: 'Finished', fill: 'fill-primary' },
  { label: 'Failed', fill: 'fill-destructive' },
];

/** Outcomes of the moves of the last days. */
function DaysChart({ days }: { days: MovesOfDay[] }): VNode {
  const bars = days.map(({ day, finished, failed }): ChartBar => ({
    label: day,
    tick: tickText(day),
    values: [finished, failed],
  }));
  return (
    <TrendChart
      id="moves-per-day"
      title="Moves per day"
      span={`Last ${days.length} days`}
      description="Finished and failed moves by the day of their end"
      unit="Day (UTC)"
      series={OUTCOMES}
      bars={bars}
    />
  );
}

interface MovesPageProps {
  csrfToken: string;
  listing: MoveListing;
  storages: ShownStorage[];
}

/** The moves of repositories between storages. */
export function MovesPage({ csrfToken, listing, storages }: MovesPageProps): VNode {
  const { query, open } = listing;
  return (
    <>
      <PageHeader
        title="Storage moves"
        state={<OpenCount open={open} />}
        description="Repositories are read-only while they move."
        actions={
          <>
            <ButtonLink href={`${MOVES_PATH}/bulk`} variant="outline">
              Drain storage
            </ButtonLink>
            <ButtonLink href={`${MOVES_PATH}/new`}>New move</ButtonLink>
          </>
        }
      />
      <Filters query={query} storages={storages.map(({ name }) => name)} />
      <StorageStrip storages={storages} />
      <MoveList {...listing} csrfToken={csrfToken} />
    </>
  );
}

function Filters({
  query,
  storages,
}: Pick<MoveListing, 'query'> & { storages: readonly string[] }): VNode {
  const options = storages.map((name) => ({ value: name, label: name }));
  const kinds = MOVE_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind] }));
  const states = MOVE_STATES.map((state) => ({ value: state, label: STATES[state].label }));
  return (
    <FilterBar
      path={MOVES_PATH}
      search={false}
      fields={[
        { name: 'kind', label: 'Type', value: query.kind, options: kinds },
        { name: 'state', label: 'State', value: query.state, options: states },
        { name: 'source_storage_name', label: 'From', value: query.source_storage_name, options },
        {
          name: 'destination_storage_name',
          label: 'To',
          value: query.destination_storage_name,
          options,
        },
      ]}
    />
  );
}
