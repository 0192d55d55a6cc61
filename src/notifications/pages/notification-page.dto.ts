import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';
import { UpdateNotificationSettingDto } from '../settings/notification-setting.dto.js';
import { UpdateOwnNotificationSettingDto } from '../settings/notification-setting.dto.js';

/** Query parameters of the page. */
export class NotificationPageDto {
  /** Part of the name or path of a group or project. */
  @TextParam()
  search?: string | null;
}

/** The form of what holds everywhere. */
export class EverywhereFormDto extends UpdateOwnNotificationSettingDto {
  /** Notifies the user about their own activity. */
  @BooleanParam()
  own_activity?: boolean | null;
}

/** The form of a project's setting. */
export class ProjectFormDto extends UpdateNotificationSettingDto {
  /** Turns the alert emails of the project on or off. */
  @BooleanParam()
  alert_emails?: boolean | null;
}
