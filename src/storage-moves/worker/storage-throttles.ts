import { Injectable } from '@nestjs/common';
import { Throttle } from '../engine/throttle.js';

/** One token bucket per limited storage, shared by all copies of this worker into it. */
@Injectable()
export class StorageThrottles {
  private readonly throttles = new Map<string, { rate: number; throttle: Throttle }>();

  /** undefined for a storage without limit. A changed limit holds for moves that start later. */
  get(storage: string, bytesPerSecond: number | null): Throttle | undefined {
    if (bytesPerSecond === null) return undefined;
    const known = this.throttles.get(storage);
    if (known?.rate === bytesPerSecond) return known.throttle;
    const throttle = new Throttle(bytesPerSecond);
    this.throttles.set(storage, { rate: bytesPerSecond, throttle });
    return throttle;
  }
}
