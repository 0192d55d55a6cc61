import { statfsSync } from 'node:fs';
import { MoveError } from './move-error.js';

export interface SpaceNeed {
  /** Name of the storage, for the message. */
  storage: string;
  root: string;
  bytesNeeded: number;
  filesNeeded: number;
  /** Bytes that other running moves have yet to write to the same storage. */
  bytesReservedByOthers: number;
}

/** Part of a volume that moves leave free. */
const RESERVE = 0.05;
const SPARE_FILES = 1000;

/**
 * Throws MoveError when the storage has no room for a copy: 10 % more bytes than needed must
 * be free beyond the reserve and other moves' needs, and 1,000 more inodes than files.
 */
export async function assertSpace(need: SpaceNeed): Promise<void> {
  const volume = statfsSync(need.root);
  const free = volume.bavail * volume.bsize;
  const reserve = volume.blocks * volume.bsize * RESERVE;
  const needed = Math.ceil(need.bytesNeeded * 1.1 + reserve + need.bytesReservedByOthers);
  if (free < needed) {
    throw new MoveError(
      `Not enough space on storage ${need.storage}: need ${needed}, free ${free}`,
    );
  }
  // Some filesystems (btrfs) allocate inodes as they go and report none.
  if (volume.files === 0) return;
  const files = need.filesNeeded + SPARE_FILES;
  if (volume.ffree < files) {
    throw new MoveError(
      `Not enough inodes on storage ${need.storage}: need ${files}, free ${volume.ffree}`,
    );
  }
}
