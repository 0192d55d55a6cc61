import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { InstanceSettings } from '../core/settings/instance-settings.service.js';
import { TokenRefusal } from './token-refusal.js';

const DAY_MS = 86_400_000;

/** Maximum lifetime of a token when no shorter one is configured. */
const DEFAULT_LIFETIME_DAYS = 365;

/** Lifetime of a rotated token. */
const ROTATED_LIFETIME_DAYS = 7;

/** Days on which a new token may end (`YYYY-MM-DD`); no latest one = it may never end. */
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
   * The moment at which a new token ends: 00:00 UTC of the wished day (`YYYY-MM-DD`). Without a
   * wish it is the longest life allowed, or null (never) where tokens need not expire.
   * Throws TokenRefusal for a day that is over or too far away.
   */
  ofNewToken(wish: string | null | undefined): Date | null {
    return this.resolve(wish, this.longestLifeDays);
  }

  /** As `ofNewToken` for a token made by rotation, which lives a week without a wish. */
  ofRotatedToken(wish: string | null | undefined): Date | null {
    return this.resolve(wish, Math.min(ROTATED_LIFETIME_DAYS, this.longestLifeDays));
  }

  /** Between which days one may wish; the latest one is what a new token gets without a wish. */
  possibleDays(): PossibleDays {
    const isRequired = this.settings.values.require_personal_access_token_expiry;
    const latest = isRequired ? dayOf(this.daysFromToday(this.longestLifeDays)) : null;
    return { earliest: dayOf(this.daysFromToday(1)), latest };
  }

  private resolve(wish: string | null | undefined, days: number): Date | null {
    const isRequired = this.settings.values.require_personal_access_token_expiry;
    if (!wish) return isRequired ? this.daysFromToday(days) : null;
    const expiresAt = new Date(`${wish}T00:00:00Z`);
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
