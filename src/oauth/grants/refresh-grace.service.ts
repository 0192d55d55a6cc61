import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import type { Refresh } from '../token-exchanges.js';

/**
 * Distinguishes concurrent refreshes of one client from two parties with the same refresh token.
 */
@Injectable()
export class RefreshGrace {
  constructor(
    private readonly clock: Clock,
    private readonly settings: InstanceSettings,
  ) {}

  /** Returns true if the replaced refresh token was shown after the grace period. */
  isTheft({ isOwn, revokedAt }: Pick<Refresh, 'isOwn' | 'revokedAt'>): boolean {
    if (!isOwn || revokedAt === null) return false;
    const graceMs = this.settings.values.oauth_refresh_grace_seconds * 1_000;
    return this.clock.now().getTime() - revokedAt.getTime() > graceMs;
  }
}
