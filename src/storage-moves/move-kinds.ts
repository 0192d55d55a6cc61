import type { RowJob } from '../core/durable-work/job-queue.service.js';
import type { MoveRepositoryJob } from '../core/durable-work/queues.js';
import type { ContainerKind } from '../git/repository-path.js';

export const MOVE_STATES = [
  'initial',
  'scheduled',
  'started',
  'replicated',
  'finished',
  'failed',
  'cleanup failed',
] as const;
export type MoveState = (typeof MOVE_STATES)[number];

/** Phase of a running move; finer than its state. */
export type MovePhase =
  | 'queued'
  | 'preflight'
  | 'draining'
  | 'copying'
  | 'verifying'
  | 'publishing'
  | 'switching'
  | 'cleaning'
  | 'done';

/** Kinds of containers whose repositories move; each has endpoints and a table of its own. */
export const MOVE_KINDS = ['project', 'snippet', 'group'] as const;
export type MoveKind = (typeof MOVE_KINDS)[number];

/**
 * Differences between the three kinds of moves. Texts are parts of SQL statements, constant and
 * never taken from a request; `m` is the move's row in them and `c` the container's.
 */
export interface MoveKindDescription {
  kind: MoveKind & ContainerKind;
  /** Table of the moves. */
  table: string;
  /** Column of `table` that names the container. */
  containerColumn: string;
  containerTable: string;
  /** As in `404 Project Not Found`. */
  noun: string;
  /** False for containers whose deletion was accepted. */
  isAlive: string;
  /** True when the container's main repository must be on disk. */
  hasRepository: string;
  /** Set with every switch, as an update of the container. */
  touch: string;
  /** Names of the container's repositories in write leases. */
  repositoryKeys: string;
}

export const MOVE_KIND_DESCRIPTIONS: Readonly<Record<MoveKind, MoveKindDescription>> = {
  project: {
    kind: 'project',
    table: 'project_repository_storage_moves',
    containerColumn: 'project_id',
    containerTable: 'projects',
    noun: 'Project',
    isAlive: 'NOT c.pending_delete',
    hasRepository: 'NOT c.empty_repo',
    touch: ', updated_at = now()',
    repositoryKeys: `ARRAY['project-' || c.id, 'wiki-' || c.id, 'design-' || c.id]`,
  },
  snippet: {
    kind: 'snippet',
    table: 'snippet_repository_storage_moves',
    containerColumn: 'snippet_id',
    containerTable: 'snippets',
    noun: 'Snippet',
    isAlive: 'true',
    hasRepository: 'c.has_repository',
    touch: ', updated_at = now()',
    repositoryKeys: `ARRAY['snippet-' || c.id]`,
  },
  group: {
    kind: 'group',
    table: 'group_repository_storage_moves',
    containerColumn: 'group_id',
    containerTable: 'groups',
    noun: 'Group',
    isAlive: 'NOT c.pending_delete',
    hasRepository: 'false',
    touch: '',
    repositoryKeys: `ARRAY['group-' || c.id || '-wiki']`,
  },
};

export const ALL_MOVE_KINDS: readonly MoveKindDescription[] = Object.values(MOVE_KIND_DESCRIPTIONS);

/** A move by its kind and ID; ids of different kinds are unrelated. */
export type MoveRef = MoveRepositoryJob;

/** A move with the number of the attempts that have begun. */
interface QueuedMove extends MoveRef {
  attempt: number;
}

/** Returns the job for the next attempt of a move. With the same ID, a dead worker's job would block it. */
export function moveJob({ kind, id, attempt }: QueuedMove): RowJob<'storage-moves'> {
  return { data: { kind, id }, jobId: `${kind}-${id}-${attempt + 1}` };
}
