import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { RunEvery, type IsStopping } from '../../core/durable-work/periodic-task.js';
import { AbandonedWrites } from '../../git/abandoned-writes.service.js';
import { RepositoryTrashRepository } from '../../git/repository-trash.repository.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { failpoint, type Failpoint } from '../engine/failpoints.js';
import { errorCode } from '../engine/move-error.js';
import {
  deleteTrash,
  listTrash,
  removeTemporary,
  TEMPORARY_DIRECTORY,
} from '../engine/storage-root.js';
import { MOVE_KINDS, type MoveKind } from '../move-kinds.js';
import { MoveDispatcher } from './move-dispatcher.service.js';
import { MoveLeasesRepository, type LeftSource } from './move-leases.repository.js';
import { discardSources, isSameFilesystem, possibleRepositories } from './move-repositories.js';
import { WorkerIdentity } from './worker-identity.js';

const ROUND_MS = 60_000;
const SWEEP_MS = 30_000;

/** Age at which other files in the directory of copies are removed. */
const STRANGER_KEPT_MS = 24 * 3_600_000;
const COPY_NAME = new RegExp(`^(${MOVE_KINDS.join('|')})-(\\d+)-(\\d+)-`);

/**
 * Repairs what crashes leave: flags and writes in the database that belong to no move; on the disks
 * abandoned copies, and sources that could not be removed by their moves. Deletes old trash.
 */
@Injectable()
export class MoveJanitor {
  private readonly logger = new Logger(MoveJanitor.name);
  /** A field, so that a test can hold one worker. */
  private readonly failpoint: Failpoint = failpoint;

  constructor(
    private readonly dataSource: DataSource,
    private readonly storages: StorageRegistry,
    private readonly trash: RepositoryTrashRepository,
    private readonly leases: MoveLeasesRepository,
    private readonly abandonedWrites: AbandonedWrites,
    private readonly dispatcher: MoveDispatcher,
    private readonly identity: WorkerIdentity,
  ) {}

  /** Runs one sweep; scheduled every 30 seconds. */
  @RunEvery({ ms: SWEEP_MS, failureMessage: 'Sweep ended early', level: 'warn' })
  async sweep(): Promise<void> {
    for (const kind of MOVE_KINDS) {
      await this.endDeadLeases(kind);
      await this.freeOrphans(kind);
      await this.reportForgotten(kind);
    }
    await this.abandonedWrites.recover();
    this.dispatcher.wake();
  }

  /** Runs one round over all storages; scheduled every minute. Skips storages that are away. */
  @RunEvery({ ms: ROUND_MS })
  async run(isStopping: IsStopping = () => false): Promise<void> {
    const tasks: [string, () => Promise<void>][] = [
      ...this.storages.names().flatMap((storage): [string, () => Promise<void>][] => [
        [`trash of ${storage}`, () => this.registerTrash(storage)],
        [`copies on ${storage}`, () => this.sweepCopies(storage)],
      ]),
      ['clean-ups', () => this.retryCleanUps()],
      ['trash', () => this.emptyTrash(isStopping)],
    ];
    for (const [name, task] of tasks) {
      if (isStopping()) return;
      await task().catch((error: unknown) => {
        this.logger.warn(`Janitor: ${name}: ${String(error)}`);
      });
    }
  }

  /** A worker that was killed beside this one need not be waited for until its lease ends. */
  private async endDeadLeases(kind: MoveKind): Promise<void> {
    const owners = await this.leases.listOwners(kind);
    const dead = owners.filter((owner) => this.identity.isDead(owner));
    if (dead.length === 0) return;
    this.logger.warn(`Moves of kind ${kind} are taken over from ${dead.join(', ')}`);
    await this.leases.expire(kind, dead);
  }

  private async freeOrphans(kind: MoveKind): Promise<void> {
    for (const id of await this.leases.freeOrphans(kind)) {
      this.logger.warn(`The ${kind} ${id} was read-only without a move and is writable again`);
    }
  }

  private async reportForgotten(kind: MoveKind): Promise<void> {
    const waiting = await this.leases.countLongWaiting(kind);
    if (waiting === 0) return;
    this.logger.debug(`${waiting} moves of kind ${kind} have waited for over 5 minutes`);
  }

  /** A worker may have died between the rename into the trash and the row of it. */
  private async registerTrash(storage: string): Promise<void> {
    for await (const paths of listTrash(this.storages.get(storage).root)) {
      for (const path of await this.trash.listUnknown(storage, paths)) {
        await this.trash.add(storage, path, 'found in the trash');
      }
    }
  }

  /** Deletes every entry whose retention has passed, until there is none or the process stops. */
  private async emptyTrash(isStopping: IsStopping): Promise<void> {
    while (!isStopping()) {
      const entry = await this.trash.leaseDue(this.storages.names());
      if (entry === null) return;
      await this.failpoint('janitor.after-lease');
      await deleteTrash(this.storages.get(entry.storage).root, entry.path);
      await this.failpoint('janitor.after-delete');
      await this.trash.deleteById(entry.id);
    }
  }

  /** Removes temporary copies that no running attempt owns. */
  private async sweepCopies(storage: string): Promise<void> {
    const directory = join(this.storages.get(storage).root, TEMPORARY_DIRECTORY);
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      if (await this.isAbandoned(path, COPY_NAME.exec(name))) await removeTemporary(path);
    }
  }

  private async isAbandoned(path: string, match: RegExpExecArray | null): Promise<boolean> {
    if (match === null) return isOld(path);
    const [, kind, moveId, attempt] = match;
    return !(await this.leases.isRunning(kind as MoveKind, Number(moveId), Number(attempt)));
  }

  /**
   * Removes the sources of moves whose clean-up failed. Their state stays `cleanup failed`; the
   * phase `done` records the late success.
   */
  private async retryCleanUps(): Promise<void> {
    for (const kind of MOVE_KINDS) {
      const ids = await this.dataSource.transaction((manager) =>
        this.leases.postponeCleanUps(manager, kind, this.storages.names()),
      );
      for (const id of ids) {
        await this.dataSource.transaction((manager) => this.retryCleanUp(manager, kind, id));
      }
    }
  }

  private async retryCleanUp(manager: EntityManager, kind: MoveKind, id: number): Promise<void> {
    const move = await this.leases.lockLeftSource(manager, kind, id);
    if (move === null) return;
    const label = `${kind}-${id}`;
    // With the container back on the old storage, its own repository can lie there again.
    if (!move.isBack) {
      try {
        await this.discardSource(move);
      } catch (error) {
        this.logger.warn(`Source of move ${label} still cannot be removed: ${String(error)}`);
        return;
      }
    }
    await this.leases.finishCleanUp(manager, kind, id);
    this.logger.log(`Source of move ${label} is removed`);
  }

  private async discardSource(move: LeftSource): Promise<void> {
    if (await isSameFilesystem(this.storages, move)) return;
    const repositories = possibleRepositories(this.storages, move);
    const lease = { ...move, attempt: Math.max(2, move.attempt) };
    for (const path of await discardSources(this.storages, lease, repositories)) {
      await this.trash.add(move.source, path, `${move.kind}-${move.id} moved`);
    }
  }
}

async function isOld(path: string): Promise<boolean> {
  try {
    return Date.now() - (await lstat(path)).mtimeMs > STRANGER_KEPT_MS;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
