import {
  NOTIFICATION_LEVELS,
  type NotificationLevel,
} from '../../workspace/subscriptions/notification-levels.js';
import { EMAIL_EVENTS, eventBit, type EmailEvent } from '../notification-values.js';
import type { SettingRow } from './notification-settings.repository.js';

/** Notification setting of a user for a group or project. */
export interface NotificationSettingResponse {
  level: NotificationLevel;
  /** Enabled events of the level `custom`. */
  events?: Partial<Record<EmailEvent, boolean>>;
}

/** Global notification setting of a user. */
export interface OwnNotificationSettingResponse extends NotificationSettingResponse {
  /**
   * Email that notifications are sent to.
   * @example "mallory@example.com"
   */
  notification_email: string;
}

/** A setting as group and project show it; `new_epic` appears on the highest tier only. */
export function presentNotificationSetting(
  { level: stored, events }: Pick<SettingRow, 'level' | 'events'>,
  tier: string,
): NotificationSettingResponse {
  const level = levelName(stored);
  if (level !== 'custom') return { level };
  const shown = EMAIL_EVENTS.filter((name) => name !== 'new_epic' || tier === 'ultimate');
  const switches = shown.map((name) => [name, (events & eventBit(name)) !== 0] as const);
  return { level, events: Object.fromEntries(switches) };
}

/** The same for the setting that holds everywhere else. */
export function presentOwnNotificationSetting(
  row: SettingRow,
  tier: string,
): OwnNotificationSettingResponse {
  const { level, ...events } = presentNotificationSetting(row, tier);
  return { level, notification_email: row.email ?? row.primaryEmail, ...events };
}

/** The wire name of a stored level. */
export function levelName(level: number): NotificationLevel {
  const names = Object.keys(NOTIFICATION_LEVELS) as NotificationLevel[];
  const name = names.find((candidate) => NOTIFICATION_LEVELS[candidate] === level);
  if (name === undefined) throw new Error(`Unknown notification level ${level}`);
  return name;
}
