/** Path of the notification settings page. */
export const NOTIFICATIONS_PATH = '/-/profile/notifications';

/** A group or project that has a setting of its own. */
export interface ContainerKey {
  kind: 'project' | 'group';
  id: number;
}

/** The page of the viewer's setting of one group or project. */
export function notificationSettingPath({ kind, id }: ContainerKey): string {
  return `${NOTIFICATIONS_PATH}/${kind}s/${id}`;
}
