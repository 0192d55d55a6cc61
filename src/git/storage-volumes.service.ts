import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { STORAGE_METADATA_FILE } from '../config/services.js';
import { withTimeout } from '../core/clock.js';
import { StorageRegistry } from './storage-registry.js';

/** A network disk that is away can keep `statfs` waiting forever, and with it a thread. */
const TIMEOUT_MS = 3_000;

/** The disk that a storage lies on. */
export interface StorageVolume {
  storage: string;
  bytesTotal: number;
  /** Used bytes of the disk, including data outside the storage. */
  bytesUsed: number;
  bytesFree: number;
}

/** Reads the disk usage of the storages. */
@Injectable()
export class StorageVolumes {
  private readonly logger = new Logger(StorageVolumes.name);
  private readonly running = new Map<string, Promise<StatsFs>>();

  constructor(private readonly storages: StorageRegistry) {}

  /** By name; a storage that is not mounted or does not answer within 3 seconds is missing. */
  async all(): Promise<Map<string, StorageVolume>> {
    const volumes = await Promise.all(this.storages.names().map((name) => this.read(name)));
    return new Map(volumes.flatMap((volume) => (volume ? [[volume.storage, volume]] : [])));
  }

  private async read(name: string): Promise<StorageVolume | null> {
    try {
      const { blocks, bfree, bavail, bsize } = await withTimeout(TIMEOUT_MS, this.measure(name));
      const bytesUsed = (blocks - bfree) * bsize;
      const bytesFree = bavail * bsize;
      // As df does: blocks that are kept back for root count neither as used nor as free.
      return { storage: name, bytesTotal: bytesUsed + bytesFree, bytesUsed, bytesFree };
    } catch (error) {
      this.logger.error(`The disk of storage ${name} cannot be read: ${String(error)}`);
      return null;
    }
  }

  /** Joins a call that still waits: of those that hang, each would block one of the few threads for files. */
  private measure(name: string): Promise<StatsFs> {
    const running = this.running.get(name);
    if (running !== undefined) return running;
    // The folder alone is on another disk while the storage is not mounted.
    const metadata = join(this.storages.get(name).root, STORAGE_METADATA_FILE);
    const measured = statfs(metadata).finally(() => this.running.delete(name));
    this.running.set(name, measured);
    return measured;
  }
}
