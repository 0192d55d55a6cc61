import type { VNode } from 'preact';
import type { Page } from '../../core/pagination/page.js';
import { counted, countText } from '../../core/ui/amounts.js';
import { ButtonLink } from '../../core/ui/components/button.js';
import { EmptyState, Badge, Card } from '../../core/ui/components/content.js';
import { LiveRegion } from '../../core/ui/components/live-region.js';
import { Pagination } from '../../core/ui/components/pagination.js';
import { ActionsCell, Cell, Table } from '../../core/ui/components/table.js';
import { Time } from '../../core/ui/components/time.js';
import type { MoveKind } from '../move-kinds.js';
import {
  MOVES_PATH,
  MoveBadge,
  MoveButtons,
  MoveProgress,
  isOpen,
  type ShownMove,
  KIND_LABELS,
} from './move.page.js';
import type { ListedBatch, OpenMoves } from '../move-statistics.repository.js';

const SECONDS_WHEN_BUSY = 2;
const SECONDS_WHEN_IDLE = 15;

const COLUMNS = [
  { label: 'Move' },
  { label: 'State' },
  { label: 'Route' },
  { label: 'Scheduled' },
  { label: 'Actions', hidden: true },
];

/** Data of the live part of the page. */
export interface MoveListing {
  moves: Page<ShownMove>;
  open: OpenMoves;
  batches: ListedBatch[];
  /** Filters, for the addresses of other pages and of the live part. */
  query: {
    kind: MoveKind;
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
  return batches.some(({ finishedAt, moving }) => finishedAt === null || moving > 0);
}

/** Moves of one kind with their progress; refreshed automatically. */
export function MoveList({ csrfToken, ...listing }: MoveListing & { csrfToken: string }): VNode {
  const { moves, open, batches, query, paging } = listing;
  const address = new URLSearchParams({ ...query, page: String(paging.page) }).toString();
  return (
    <LiveRegion
      id="moves"
      href={`${MOVES_PATH}/live?${address}`}
      seconds={isBusy(listing) ? SECONDS_WHEN_BUSY : SECONDS_WHEN_IDLE}
      label="Move list"
    >
      <div class="grid grid-cols-1 gap-4">
        <p>
          {counted(open.running, 'move')} running, {open.waiting} waiting.
        </p>
        <BatchTable batches={batches} />
        {moves.items.length === 0 ? (
          <EmptyState
            title="No moves"
            action={<ButtonLink href={`${MOVES_PATH}/new`}>Schedule a move</ButtonLink>}
          >
            No moves match these filters.
          </EmptyState>
        ) : (
          <Table caption="Moves" columns={COLUMNS}>
            {moves.items.map((move) => (
              <MoveRow key={move.id} move={move} csrfToken={csrfToken} />
            ))}
          </Table>
        )}
        <Pagination page={moves} paging={paging} path={MOVES_PATH} query={query} />
      </div>
    </LiveRegion>
  );
}

function MoveRow({ move, csrfToken }: { move: ShownMove; csrfToken: string }): VNode {
  return (
    <tr id={`move-${move.kind}-${move.id}`}>
      <Cell wrap>
        <a href={`${MOVES_PATH}/${move.kind}/${move.id}`}>#{move.id}</a>
        <a class="block w-fit min-w-52 wrap-anywhere" href={move.container.href}>
          {move.container.label}
        </a>
      </Cell>
      <Cell wrap>
        <div class="grid justify-items-start gap-1">
          <MoveBadge move={move} />
          <div class="w-full">
            <MoveProgress move={move} />
          </div>
        </div>
      </Cell>
      <Cell>
        {move.source_storage_name} → {move.destination_storage_name}
      </Cell>
      <Cell>
        <Time value={move.created_at} />
      </Cell>
      <ActionsCell>
        <MoveButtons move={move} csrfToken={csrfToken} />
      </ActionsCell>
    </tr>
  );
}

const BATCH_COLUMNS = [
  { label: 'Route' },
  { label: 'Type' },
  { label: 'State' },
  { label: 'Scheduled', align: 'end' as const },
  { label: 'Finished', align: 'end' as const },
  { label: 'Failed', align: 'end' as const },
  { label: 'Skipped', align: 'end' as const },
  { label: 'Requested' },
];

/** The newest bulk moves, below the moves on a narrow screen; nothing without any. */
function BatchTable({ batches }: { batches: ListedBatch[] }): VNode | null {
  if (batches.length === 0) return null;
  return (
    <div class="max-md:order-last">
      <Card title="Bulk moves" flush>
        <Table caption="Bulk moves" columns={BATCH_COLUMNS}>
          {batches.map((batch) => (
            <tr key={batch.id}>
              <Cell>
                {batch.source} → {batch.destination ?? 'by weight'}
              </Cell>
              <Cell>{KIND_LABELS[batch.kind]}</Cell>
              <Cell>
                <BatchState batch={batch} />
              </Cell>
              <Cell align="end">{countText(batch.scheduled)}</Cell>
              <Cell align="end">{countText(batch.finished)}</Cell>
              <Cell align="end">{countText(batch.failed)}</Cell>
              <Cell align="end">{countText(batch.skipped)}</Cell>
              <Cell>
                <Time value={batch.createdAt} />
              </Cell>
            </tr>
          ))}
        </Table>
      </Card>
    </div>
  );
}

function BatchState({ batch }: { batch: ListedBatch }): VNode {
  const { moving, failed, finishedAt } = batch;
  if (finishedAt === null) return <Badge tone="info">Scheduling</Badge>;
  if (moving > 0) return <Badge tone="info">Moving</Badge>;
  return failed > 0 ? (
    <Badge tone="warning">Partially completed</Badge>
  ) : (
    <Badge tone="success">Done</Badge>
  );
}
