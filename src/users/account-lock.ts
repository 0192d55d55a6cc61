import type { Settings } from '../core/settings/settings.js';

const MINUTE_MS = 60_000;

/** Locks that began by then are over now: accounts open by themselves after a while. */
export function locksOverSince(settings: Settings, now: Date): Date {
  const minutes = settings.failed_login_attempts_unlock_period_in_minutes;
  return new Date(now.getTime() - minutes * MINUTE_MS);
}

/** Returns true if an account with this lock is still locked. */
export function isLocked(lockedAt: Date | null, settings: Settings, now: Date): boolean {
  return lockedAt !== null && lockedAt > locksOverSince(settings, now);
}
