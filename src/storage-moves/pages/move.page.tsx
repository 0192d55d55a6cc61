import type { VNode } from 'preact';
import { NotFoundError } from '../../core/errors.js';
import {
  type Tone,
  Badge,
  Card,
  DescriptionList,
  PageHeader,
  type Fact,
} from '../../core/ui/components/content.js';
import { CopyableCode } from '../../core/ui/components/copy.js';
import { ProgressBar } from '../../core/ui/components/small-charts.js';
import type { MoveRows } from '../sql/move-rows.js';
import { type MoveResponse, presentMove } from '../move.presenter.js';
import { MOVE_KINDS, type MoveKind, type MoveState } from '../move-kinds.js';
import { bytesText, counted, durationText } from '../../core/ui/amounts.js';
import { PostButton } from '../../core/ui/components/form.js';
import { LiveRegion } from '../../core/ui/components/live-region.js';
import { Time } from '../../core/ui/components/time.js';

export const MOVES_PATH = '/admin/storage_moves';

/** A move of any kind as pages show it. */
export interface ShownMove extends MoveResponse {
  kind: MoveKind;
  /** Moved container. */
  container: { label: string; href: string };
  /** Position in the queue, 1 is next; null for a move that does not wait. */
  position: number | null;
}

/** Labels of the kinds of moves; without the last letter, of one. */
export const KIND_LABELS: Record<MoveKind, string> = {
  project: 'Projects',
  snippet: 'Snippets',
  group: 'Groups',
};

export const STATES: Record<MoveState, { label: string; tone: Tone }> = {
  initial: { label: 'New', tone: 'neutral' },
  scheduled: { label: 'Queued', tone: 'neutral' },
  started: { label: 'Running', tone: 'info' },
  replicated: { label: 'Cleaning up', tone: 'info' },
  finished: { label: 'Finished', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
  'cleanup failed': { label: 'Clean-up failed', tone: 'warning' },
};

const CONTAINERS: { [K in MoveKind]: (row: MoveRows[K]) => ShownMove['container'] } = {
  project: (row) => {
    const path = `${row.namespace_full_path}/${row.project_path}`;
    return { label: path, href: `/${path}` };
  },
  snippet: (row) => ({
    label: row.title,
    href: `${row.project_full_path === null ? '' : `/${row.project_full_path}`}/-/snippets/${row.snippet_id}`,
  }),
  group: (row) => ({ label: row.group_full_path, href: `/groups/${row.group_full_path}` }),
};

/** The row as pages show it; `baseUrl` as for the API's presenter. */
export function shownMove<K extends MoveKind>(
  kind: K,
  row: MoveRows[K],
  { baseUrl, positions }: { baseUrl: string; positions: ReadonlyMap<number, number> },
): ShownMove {
  const presented: MoveResponse = presentMove(kind, row, baseUrl);
  return {
    ...presented,
    kind,
    container: CONTAINERS[kind](row),
    position: positions.get(row.id) ?? null,
  };
}

/** The kind that an address names. Throws 404. */
export function kindOf(word: string): MoveKind {
  const kind = MOVE_KINDS.find((candidate) => candidate === word);
  if (kind === undefined) throw new NotFoundError();
  return kind;
}

/** Returns true if the move has not ended. */
export function isOpen({ state }: Pick<ShownMove, 'state'>): boolean {
  return ['initial', 'scheduled', 'started', 'replicated'].includes(state);
}

/** Returns true if the move can be cancelled: before its switch. */
function isCancellable({ state }: Pick<ShownMove, 'state'>): boolean {
  return state === 'scheduled' || state === 'started';
}

/** The state of a move in a word; the phase of a running one. */
export function MoveBadge({ move }: { move: ShownMove }): VNode {
  const { label, tone } = STATES[move.state];
  return <Badge tone={tone}>{move.state === 'started' ? PHASES[move.phase] : label}</Badge>;
}

/** Progress of a move, or the reason for its end. */
export function MoveProgress({ move }: { move: ShownMove }): VNode {
  const { state, error_message: reason } = move;
  if (state === 'scheduled') return <>{waitingText(move)}</>;
  if (state === 'started' || state === 'replicated') return <Running move={move} />;
  if (reason !== null) return <span class="wrap-anywhere">{reason}</span>;
  return <>{finishedText(move)}</>;
}

function waitingText({ position, attempts }: ShownMove): string {
  const queued = position === null ? 'In queue' : `#${position} in queue`;
  return attempts > 0 ? `${queued} · ${counted(attempts, 'attempt')}` : queued;
}

function Running({ move }: { move: ShownMove }): VNode {
  const { kind, id, phase, bytes_total: total, bytes_copied: copied } = move;
  const label = `Progress of ${kind} move #${id}, ${move.container.label}`;
  return (
    <div class="flex min-w-40 flex-wrap items-center gap-x-3">
      {total === null || phase !== 'copying' ? (
        <ProgressBar max={1} label={label} {...doneOf(move)} />
      ) : (
        <ProgressBar value={Math.min(copied, total)} max={Math.max(1, total)} label={label} />
      )}
      <span class="text-muted-foreground tabular-nums">{runningText(move)}</span>
    </div>
  );
}

/** Full after the copy; indeterminate before it. */
function doneOf({ phase }: ShownMove): { value?: number } {
  return ['verifying', 'publishing', 'switching', 'cleaning', 'done'].includes(phase)
    ? { value: 1 }
    : {};
}

function runningText({ phase, bytes_total: total, ...move }: ShownMove): string {
  const readOnly = `read-only for ${durationText(Math.round(move.read_only_seconds))}`;
  if (total === null) return readOnly;
  if (phase !== 'copying') return `${bytesText(total)} · ${readOnly}`;
  const { bytes_per_second: rate, eta_seconds: left } = move;
  return [
    `${bytesText(move.bytes_copied)} of ${bytesText(total)}`,
    ...(rate === null ? [] : [`${bytesText(rate)}/s`]),
    ...(left === null ? [] : [`${durationText(left)} left`]),
  ].join(' · ');
}

const PHASES: Record<ShownMove['phase'], string> = {
  queued: 'Starting',
  preflight: 'Preflight check',
  draining: 'Waiting for pushes',
  copying: 'Copying',
  verifying: 'Verifying',
  publishing: 'Publishing',
  switching: 'Switching',
  cleaning: 'Cleaning up',
  done: 'Done',
};

function finishedText(move: ShownMove): string {
  if (move.bytes_total === null) return 'Nothing to copy';
  const { started_at: start, finished_at: end } = move;
  const seconds = start === null || end === null ? 0 : (Date.parse(end) - Date.parse(start)) / 1000;
  const readOnly = durationText(move.read_only_seconds);
  return `${bytesText(move.bytes_total)} in ${durationText(seconds)} · read-only for ${readOnly}`;
}

/** Actions on a move. */
export function MoveButtons({ move, csrfToken }: { move: ShownMove; csrfToken: string }) {
  const path = `${MOVES_PATH}/${move.kind}/${move.id}`;
  if (isCancellable(move)) {
    return (
      <PostButton action={`${path}/cancel`} csrfToken={csrfToken} size="small">
        Cancel<span class="sr-only"> move {move.id}</span>
      </PostButton>
    );
  }
  if (move.state !== 'failed') return null;
  return (
    <PostButton action={`${path}/retry`} csrfToken={csrfToken} size="small">
      Retry<span class="sr-only"> move {move.id}</span>
    </PostButton>
  );
}

interface MovePageProps {
  csrfToken: string;
  move: ShownMove;
}

/** One move, live until it is over. */
export function MovePage({ csrfToken, move }: MovePageProps): VNode {
  return (
    <>
      <PageHeader
        title={`${KIND_LABELS[move.kind].slice(0, -1)} move #${move.id}`}
        description={<a href={move.container.href}>{move.container.label}</a>}
      />
      <MoveDetails csrfToken={csrfToken} move={move} />
    </>
  );
}

/** The live part of the page of a move. */
export function MoveDetails({ csrfToken, move }: MovePageProps): VNode {
  return (
    <LiveRegion
      id="move"
      href={`${MOVES_PATH}/${move.kind}/${move.id}/live`}
      seconds={isOpen(move) ? 1 : null}
      label="State of the move"
    >
      <Card
        title={`${move.source_storage_name} → ${move.destination_storage_name}`}
        actions={<MoveBadge move={move} />}
      >
        <MoveProgress move={move} />
        <DescriptionList items={factsOf(move)} />
        <div>
          <MoveButtons move={move} csrfToken={csrfToken} />
        </div>
      </Card>
    </LiveRegion>
  );
}

function factsOf(move: ShownMove): Fact[] {
  return [
    { label: 'Scheduled', value: <Time value={move.created_at} /> },
    { label: 'Started', value: <Time value={move.started_at} none="Not yet" /> },
    { label: 'Finished', value: <Time value={move.finished_at} none="Not yet" /> },
    { label: 'Attempts', value: move.attempts },
    {
      label: 'Size',
      value: move.bytes_total === null ? '–' : bytesText(move.bytes_total),
    },
    { label: 'Copied', value: bytesText(move.bytes_copied) },
    {
      label: 'Throughput',
      value: move.bytes_per_second === null ? '–' : `${bytesText(move.bytes_per_second)}/s`,
    },
    { label: 'Read-only for', value: durationText(move.read_only_seconds) },
    {
      label: 'Checksum',
      value: move.checksum && <CopyableCode label="Copy checksum" value={move.checksum} />,
    },
  ];
}
