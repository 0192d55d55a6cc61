import { statfs } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import { StorageRegistry } from './storage-registry.js';

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

  constructor(private readonly storages: StorageRegistry) {}

  /** By name; a storage whose disk does not answer is missing. */
  async all(): Promise<Map<string, StorageVolume>> {
    const volumes = await Promise.all(this.storages.names().map((name) => this.read(name)));
    return new Map(volumes.flatMap((volume) => (volume ? [[volume.storage, volume]] : [])));
  }

  private async read(name: string): Promise<StorageVolume | null> {
    try {
      const { blocks, bfree, bavail, bsize } = await statfs(this.storages.get(name).root);
      const bytesUsed = (blocks - bfree) * bsize;
      const bytesFree = bavail * bsize;
      // As df does: blocks that are kept back for root count neither as used nor as free.
      return { storage: name, bytesTotal: bytesUsed + bytesFree, bytesUsed, bytesFree };
    } catch (error) {
      this.logger.error(`The disk of storage ${name} cannot be read: ${String(error)}`);
      return null;
    }
  }
}
