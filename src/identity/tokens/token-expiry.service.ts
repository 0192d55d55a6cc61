import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { TokenRefusal } from './token-refusal.js';

const DAY_MS = 86_400_000;

/** Maximum lifetime of a token when no shorter one is configured. */
const DEFAULT_LIFETIME_DAYS = 365;

/** Lifetime of a rotated token. */
const ROTATED_LIFETIME_DAYS = 7;

/** Days on which a new token can end (`YYYY-MM-DD`); no latest one = it may never end. */
export interface PossibleDays {
  earliest: string;
  latest: string | null;
}

/** Decides when tokens end, by the settings of the instance (API doc, Personal tokens). */
@Injectable()
export class TokenExpiry {
  constructor(
    private readonly settings: InstanceSettings,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the expiry time of a new token: 00:00 UTC of the requested day (`YYYY-MM-DD`). By
   * default it is the maximum lifetime, or null (never) if tokens need not expire. Throws
   * TokenRefusal for a day that is over or too far away.
   */
  ofNewToken(day: string | null | undefined): Date | null {
    return this.resolve(day, this.longestLifeDays);
  }

  /** As `ofNewToken` for a rotated token, which expires after a week by default. */
  ofRotatedToken(day: string | null | undefined): Date | null {
    return this.resolve(day, Math.min(ROTATED_LIFETIME_DAYS, this.longestLifeDays));
  }

  /** Returns the selectable days; the latest one is the default of a new token. */
  possibleDays(): PossibleDays {
    const isRequired = this.settings.values.require_personal_access_token_expiry;
    const latest = isRequired ? dayOf(this.daysFromToday(this.longestLifeDays)) : null;
    return { earliest: dayOf(this.daysFromToday(1)), latest };
  }

  private resolve(day: string | null | undefined, days: number): Date | null {
    const isRequired = this.settings.values.require_personal_access_token_expiry;
    if (!day) return isRequired ? this.daysFromToday(days) : null;
    const expiresAt = new Date(`${day}T00:00:00Z`);
    if (expiresAt <= this.clock.now())
      throw new TokenRefusal('expires_at', 'must be in the future');
    const latest = this.daysFromToday(this.longestLifeDays);
    if (!isRequired || expiresAt <= latest) return expiresAt;
    throw new TokenRefusal('expires_at', `must be before ${dayOf(latest)}`);
  }

  private get longestLifeDays(): number {
    return this.settings.values.max_personal_access_token_lifetime ?? DEFAULT_LIFETIME_DAYS;
  }

  private daysFromToday(days: number): Date {
    const today = Math.floor(this.clock.now().getTime() / DAY_MS) * DAY_MS;
    return new Date(today + days * DAY_MS);
  }
}

/** The UTC day of a moment as `YYYY-MM-DD`. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
