import { ApiError, ValidationFailedError } from '../../core/errors.js';
import {
  NOTIFICATION_LEVELS,
  type NotificationLevel,
} from '../../workspace/subscriptions/subscription.entity.js';
import { EMAIL_EVENTS, eventBit } from '../notification-values.js';
import type { UpdateNotificationSettingDto } from './notification-setting.dto.js';

/** Where a setting holds: in a project, in a group with all below it, or everywhere else. */
export type SettingScope = { kind: 'everywhere' } | { kind: 'project' | 'group'; id: number };

/** Changed attributes of a setting; the others stay. */
export interface SettingChange {
  level?: NotificationLevel;
  /** Bits of EMAIL_EVENTS to turn on and off. */
  on: number;
  off: number;
  /** null: that of a level above. */
  email?: string | null;
  ownActivity?: boolean;
  alertEmails?: boolean;
}

/**
 * Returns the changes of a request. Throws 400 for an unknown level; switches without a value stay
 * as they are, and so does the one of epics below the highest tier.
 */
export function changeOf(dto: UpdateNotificationSettingDto, tier: string): SettingChange {
  const switches = EMAIL_EVENTS.filter((name) => name !== 'new_epic' || tier === 'ultimate');
  const bitsOf = (wanted: boolean): number =>
    switches
      .filter((name) => dto[name] === wanted)
      .reduce((bits, name) => bits | eventBit(name), 0);
  const level = dto.level === undefined ? {} : { level: levelOf(dto.level) };
  return { ...level, on: bitsOf(true), off: bitsOf(false) };
}

/** Returns true if anything changes: otherwise no row is needed. */
export function changesSomething({ on, off, ...rest }: SettingChange): boolean {
  return (on | off) !== 0 || Object.values(rest).some((value) => value !== undefined);
}

function levelOf(text: string | null): NotificationLevel {
  if (text === null || text.trim() === '') {
    throw new ValidationFailedError({ level: ["can't be blank"] });
  }
  if (Object.hasOwn(NOTIFICATION_LEVELS, text)) return text as NotificationLevel;
  throw new ApiError(400, { message: `'${text}' is not a valid level` });
}
