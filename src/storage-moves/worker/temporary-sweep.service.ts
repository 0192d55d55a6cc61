import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { StorageRegistry } from '../../git/storage-registry.js';
import { removeTemporary, TEMPORARY_DIRECTORY } from '../engine/storage-root.js';
import { errorCode } from '../engine/move-error.js';
import { MOVE_KINDS, type MoveKind } from '../move-kinds.js';
import { MoveLeasesRepository } from './move-leases.repository.js';

/** Anything else in the room for copies, such as a repository that was never finished. */
const STRANGER_KEPT_MS = 24 * 3_600_000;
const COPY_NAME = new RegExp(`^(${MOVE_KINDS.join('|')})-(\\d+)-(\\d+)-`);

/** Removes temporary copies that no running attempt owns. */
@Injectable()
export class TemporarySweep {
  constructor(
    private readonly leases: MoveLeasesRepository,
    private readonly storages: StorageRegistry,
  ) {}

  async sweep(storage: string): Promise<void> {
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
}

async function isOld(path: string): Promise<boolean> {
  try {
    return Date.now() - (await lstat(path)).mtimeMs > STRANGER_KEPT_MS;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
