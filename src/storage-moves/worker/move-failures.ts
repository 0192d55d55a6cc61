import { Logger } from '@nestjs/common';
import { errorCode, MoveError } from '../engine/move-error.js';
import type { StorageSettingsRepository } from '../storage-settings.repository.js';
import { CancelledError, type LeasedMove } from './active-move.js';

/** Seconds before each further attempt after a passing fault. */
const RETRY_WAITS = [10, 60, 300];
export const MAX_RETRIES = RETRY_WAITS.length;

/** Faults of the database's connection, by SQLSTATE class or by the system's code. */
const PASSING_CODE = /^(08|53|57|40|ECONN|EPIPE|ETIMEDOUT)/;
/** Messages of pg without a code while the server stops and is unavailable. */
const PASSING_MESSAGE =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying)/;

/** Returns the seconds to wait before the next attempt. */
export function retryWait({ retries }: Pick<LeasedMove, 'retries'>): number {
  return RETRY_WAITS[retries] ?? 0;
}

/** Returns whether a later attempt can succeed and the move has one left. */
export function isRetriable({ retries }: Pick<LeasedMove, 'retries'>, cause: unknown): boolean {
  if (retries >= MAX_RETRIES) return false;
  if (cause instanceof MoveError) return cause.transient;
  return PASSING_CODE.test(errorCode(cause)) || PASSING_MESSAGE.test(textOf(cause));
}

/** Returns the message of a failed move. */
export function failureMessage(cause: unknown): string {
  if (cause instanceof CancelledError || cause instanceof MoveError) return cause.message;
  return `Unexpected fault: ${textOf(cause)}`;
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Full disks in a row after which a storage takes no new moves for a while. */
const STRIKES = 2;
const BLOCKED_FOR = '10 minutes';

/** Keeps moves away from a storage that has run out of space. */
export class FullStorageGuard {
  private readonly logger = new Logger(FullStorageGuard.name);
  private readonly strikes = new Map<string, number>();

  constructor(private readonly settings: StorageSettingsRepository) {}

  /** Counts a failed move into the storage when its disk was full. */
  async noteFailure(storage: string, cause: unknown): Promise<void> {
    if (!isOutOfSpace(cause)) return;
    const strikes = (this.strikes.get(storage) ?? 0) + 1;
    this.strikes.set(storage, strikes);
    if (strikes < STRIKES) return;
    this.strikes.delete(storage);
    this.logger.error(`Storage ${storage} is full: no moves into it for ${BLOCKED_FOR}`);
    await this.settings.block(storage, BLOCKED_FOR);
  }

  /** Forgets the full disks of a storage that a move has reached. */
  noteSuccess(storage: string): void {
    this.strikes.delete(storage);
  }
}

function isOutOfSpace(cause: unknown): boolean {
  const code = errorCode(cause) || errorCode((cause as { cause?: unknown } | null)?.cause);
  return code === 'ENOSPC' || code === 'EDQUOT';
}
