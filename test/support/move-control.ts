import type { INestApplicationContext } from '@nestjs/common';
import type { Failpoint, MoveFailpoint } from '../../src/storage-moves/engine/failpoints.js';
import { BulkMoveScheduler } from '../../src/storage-moves/worker/bulk-move-scheduler.service.js';
import { MoveJanitor } from '../../src/storage-moves/worker/move-janitor.service.js';
import { MoveLeases } from '../../src/storage-moves/worker/move-leases.service.js';
import { RepositoryMove } from '../../src/storage-moves/worker/repository-move.service.js';
import type { TestApp } from './app.js';
import { eventually } from './eventually.js';

/** A place in the code of a worker where its move is being held. */
export interface Hold {
  /** Resolves once a move has come there. */
  reached: Promise<void>;
  /** Lets it, and all that come later, go on. */
  release(): void;
}

/** Holds the first move that passes `point` in this worker. */
export function holdAt(worker: INestApplicationContext, point: MoveFailpoint): Hold {
  let release = (): void => undefined;
  let arrive = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  replaceFailpoint(worker, async (name) => {
    if (name !== point) return;
    arrive();
    await released;
  });
  return { reached, release };
}

/** Lets the first `times` moves that pass `point` in this worker meet the error. */
export function throwAt(
  worker: INestApplicationContext,
  point: MoveFailpoint,
  { error, times = 1 }: { error: unknown; times?: number },
): void {
  let left = times;
  replaceFailpoint(worker, (name) => {
    if (name !== point || left === 0) return Promise.resolve();
    left -= 1;
    return Promise.reject(error);
  });
}

/** Moves pass again. */
export function passAll(worker: INestApplicationContext): void {
  replaceFailpoint(worker, () => Promise.resolve());
}

function replaceFailpoint(worker: INestApplicationContext, failpoint: Failpoint): void {
  for (const holder of [BulkMoveScheduler, MoveJanitor, MoveLeases, RepositoryMove]) {
    Object.assign(worker.get<object>(holder, { strict: false }), { failpoint });
  }
}

export interface MoveState {
  state: string;
  phase: string;
  attempt: number;
  retries: number;
  error_message: string | null;
  lease_owner: string | null;
}

/** The row of a project's move. */
export async function moveRow(
  { dataSource }: Pick<TestApp, 'dataSource'>,
  id: number,
): Promise<MoveState> {
  const [row] = await dataSource.query<MoveState[]>(
    'SELECT * FROM project_repository_storage_moves WHERE id = $1',
    [id],
  );
  if (row === undefined) throw new Error(`There is no move ${id}`);
  return row;
}

/** Waits until the project's move is in the state. */
export function untilState(
  app: Pick<TestApp, 'dataSource'>,
  id: number,
  state: string,
): Promise<MoveState> {
  return eventually(
    async () => {
      const row = await moveRow(app, id);
      if (row.state !== state) throw new Error(`${row.state}: ${row.error_message}`);
      return row;
    },
    { seconds: 15 },
  );
}

/** Where a project is and whether it may be written. */
export async function projectPageContext(
  { dataSource }: Pick<TestApp, 'dataSource'>,
  id: number,
): Promise<{ storage: string; readOnly: boolean }> {
  const [row] = await dataSource.query<{ storage: string; readOnly: boolean }[]>(
    `SELECT repository_storage AS storage, repository_read_only AS "readOnly"
     FROM projects WHERE id = $1`,
    [id],
  );
  if (row === undefined) throw new Error(`There is no project ${id}`);
  return row;
}
