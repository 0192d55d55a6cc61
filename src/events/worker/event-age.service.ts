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
   * Events from this time on are kept: whole days (UTC), and one more than the setting says, so that
   * three years are full even with a leap day among them.
   */
  oldestKept(): Date {
    const { event_retention_days: days } = this.settings.values;
    const today = Math.floor(this.clock.now().getTime() / DAY_MS);
    return new Date((today - days - 1) * DAY_MS);
  }
}
