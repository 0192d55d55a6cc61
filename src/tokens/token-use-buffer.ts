const MAX_REMEMBERED = 100_000;

/** Uses of tokens that are to be written down. */
export interface RecordedUses {
  tokenIds: number[];
  /** At most one for each token. */
  addresses: { tokenId: number; ip: string }[];
}

/** When this process may write about a token again. */
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
