import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';

const DAY_MS = 86_400_000;

/** Retention of events (setting `event_retention_days`). */
@Injectable()
export class EventAge {
  constructor(
    private readonly clock: Clock,
    private readonly settings: InstanceSettings,
  ) {}

  /**
   * Returns the start of the retention: whole days (UTC), and one more than the setting, so that
   * three years are complete even with a leap day among them.
   */
  oldestKept(): Date {
    const { event_retention_days: days } = this.settings.values;
    const today = Math.floor(this.clock.now().getTime() / DAY_MS);
    return new Date((today - days - 1) * DAY_MS);
  }
}
