import { Injectable } from '@nestjs/common';
import { Throttle } from '../engine/throttle.js';
import { StorageSettings } from '../storage-settings.service.js';

/** One token bucket per storage, shared by everything that this worker moves from and to it. */
@Injectable()
export class StorageThrottles {
  private readonly throttles = new Map<string, Throttle>();

  constructor(private readonly settings: StorageSettings) {}

  get(storage: string): Throttle {
    const known = this.throttles.get(storage);
    if (known !== undefined) return known;
    const throttle = new Throttle(null);
    this.throttles.set(storage, throttle);
    return throttle;
  }

  /** Reads the limits as they are now; moves that are under way obey them from here on. */
  async refresh(): Promise<void> {
    const limits = await this.settings.all();
    for (const [name, { bytesPerSecond }] of limits) this.get(name).setLimit(bytesPerSecond);
  }
}
