import { Injectable, Logger } from '@nestjs/common';
import { errorCode } from '../engine/move-error.js';
import { StorageSettingsRepository } from '../storage-settings.repository.js';

/** Full disks in a row after which a storage takes no new moves for a while. */
const STRIKES = 2;
const BLOCKED_FOR = '10 minutes';

/** Keeps moves away from a storage that has run out of space. */
@Injectable()
export class FullStorageGuard {
  private readonly logger = new Logger(FullStorageGuard.name);
  private readonly strikes = new Map<string, number>();

  constructor(private readonly settings: StorageSettingsRepository) {}

  /** To be told of every failed move into the storage. */
  async noteFailure(storage: string, cause: unknown): Promise<void> {
    if (!isOutOfSpace(cause)) return;
    const strikes = (this.strikes.get(storage) ?? 0) + 1;
    this.strikes.set(storage, strikes);
    if (strikes < STRIKES) return;
    this.strikes.delete(storage);
    this.logger.error(`Storage ${storage} is full: no moves into it for ${BLOCKED_FOR}`);
    await this.settings.block(storage, BLOCKED_FOR);
  }

  /** To be told of every move that arrived there. */
  noteSuccess(storage: string): void {
    this.strikes.delete(storage);
  }
}

function isOutOfSpace(cause: unknown): boolean {
  const code = errorCode(cause) || errorCode((cause as { cause?: unknown } | null)?.cause);
  return code === 'ENOSPC' || code === 'EDQUOT';
}
