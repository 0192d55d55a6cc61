import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { AccessTokensRepository } from './access-tokens.repository.js';

const MAX_REMEMBERED = 100_000;

/** Uses of tokens that are to be written down. */
interface RecordedUses {
  tokenIds: number[];
  /** At most one for each token. */
  addresses: { tokenId: number; ip: string }[];
}

/** When this process can write about a token again. */
interface NextWrites {
  time: number;
  address: number;
}

/** Collects uses of tokens and drops those that come too soon after the last written ones. */
export class TokenUseBuffer {
  private readonly next = new Map<number, NextWrites>();
  private times = new Set<number>();
  private addresses = new Map<number, string>();

  constructor(
    private readonly timePrecisionMs: number,
    private readonly addressPrecisionMs: number,
  ) {}

  /** Records a use; returns true if it is new and belongs to the next `take`. */
  note({ tokenId, ip }: { tokenId: number; ip: string | null }, now: number): boolean {
    const next = this.next.get(tokenId) ?? this.remember(tokenId);
    const isTimeDue = next.time <= now;
    const isAddressDue = ip !== null && next.address <= now;
    if (isTimeDue) {
      next.time = now + this.timePrecisionMs;
      this.times.add(tokenId);
    }
    if (isAddressDue) {
      next.address = now + this.addressPrecisionMs;
      this.addresses.set(tokenId, ip);
    }
    return isTimeDue || isAddressDue;
  }

  /** Returns the uses since the last call. */
  take(): RecordedUses {
    const taken = {
      tokenIds: [...this.times],
      addresses: [...this.addresses].map(([tokenId, ip]) => ({ tokenId, ip })),
    };
    this.times = new Set();
    this.addresses = new Map();
    return taken;
  }

  private remember(tokenId: number): NextWrites {
    if (this.next.size >= MAX_REMEMBERED) this.next.clear();
    const never = { time: 0, address: 0 };
    this.next.set(tokenId, never);
    return never;
  }
}

/** `last_used_at` is at most this old while a token is in use. */
const PRECISION_MS = 10 * 60 * 1000;
/** Minimum interval between two recorded addresses of one token. */
const ADDRESS_PRECISION_MS = 60 * 1000;
const WRITE_AFTER_MS = 1_000;

/** Writes come later than the uses, not always equally late; the next use must not be too early. */
const SLACK_MS = 5_000;

/**
 * Notes when and from where tokens were last used and when their users were last active, without
 * making a request wait: uses are collected for a second and written together, of each token the
 * time at most every ten minutes and an address at most every minute.
 */
@Injectable()
export class TokenUsage implements OnModuleDestroy {
  private readonly logger = new Logger(TokenUsage.name);
  private readonly buffer = new TokenUseBuffer(PRECISION_MS, ADDRESS_PRECISION_MS);
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly tokens: AccessTokensRepository,
    private readonly clock: Clock,
  ) {}

  /** The token was accepted just now, from `ip` if that is known. */
  note({ tokenId }: { tokenId: number }, ip: string | null): void {
    const isNew = this.buffer.note({ tokenId, ip }, this.clock.now().getTime());
    if (isNew) this.timer ??= setTimeout(() => this.flush(), WRITE_AFTER_MS);
  }

  /** Writes what is left while the database is still connected. */
  async onModuleDestroy(): Promise<void> {
    this.flush();
    await this.writing;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const uses = this.buffer.take();
    if (uses.tokenIds.length === 0 && uses.addresses.length === 0) return;
    this.writing = this.writing.then(() => this.write(uses));
  }

  private async write({ tokenIds, addresses }: RecordedUses): Promise<void> {
    const now = this.clock.now();
    const ago = (ms: number): Date => new Date(now.getTime() - ms + SLACK_MS);
    try {
      if (tokenIds.length > 0) await this.tokens.recordUse(tokenIds, now, ago(PRECISION_MS));
      if (addresses.length === 0) return;
      await this.tokens.recordAddresses(addresses, now, ago(ADDRESS_PRECISION_MS));
    } catch (error) {
      // The times are informational: worth a line in the log, not a failed request.
      this.logger.warn(`The use of some tokens was not noted: ${String(error)}`);
    }
  }
}
