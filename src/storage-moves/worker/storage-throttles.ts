import { Injectable } from '@nestjs/common';
import { Throttle } from '../engine/throttle.js';
import { StorageSettings } from '../storage-settings.service.js';

/** Holds one throttle per storage, shared by all moves of this worker. */
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

  /** Reloads the limits, which also apply to running moves. */
  async refresh(): Promise<void> {
    const limits = await this.settings.all();
    for (const [name, { bytesPerSecond }] of limits) this.get(name).setLimit(bytesPerSecond);
  }
}
