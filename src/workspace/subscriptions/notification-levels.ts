/** Levels, as stored (API doc, Notification setting). */
export const NOTIFICATION_LEVELS = {
  disabled: 0,
  participating: 1,
  watch: 2,
  global: 3,
  mention: 4,
  custom: 5,
} as const;
export type NotificationLevel = keyof typeof NOTIFICATION_LEVELS;
