import { NotFoundError } from '../../core/errors.js';
import type { Tone } from '../../core/ui/components/content.js';
import type { MoveRows } from '../sql/move-rows.js';
import { type MoveResponse, presentMove } from '../move.presenter.js';
import { MOVE_KINDS, type MoveKind, type MoveState } from '../move-kinds.js';

/** A move of any kind as pages show it. */
export interface ShownMove extends MoveResponse {
  kind: MoveKind;
  /** Moved container. */
  container: { label: string; href: string };
  /** Place in the queue, 1 is next; null for a move that does not wait. */
  position: number | null;
}

export const KIND_LABELS: Record<MoveKind, string> = {
  project: 'Projects',
  snippet: 'Snippets',
  group: 'Groups',
};

export const STATES: Record<MoveState, { label: string; tone: Tone }> = {
  initial: { label: 'New', tone: 'neutral' },
  scheduled: { label: 'Waiting', tone: 'neutral' },
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
export function isCancellable({ state }: Pick<ShownMove, 'state'>): boolean {
  return state === 'scheduled' || state === 'started';
}
