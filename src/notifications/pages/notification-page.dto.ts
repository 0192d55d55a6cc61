import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';
import { UpdateOwnNotificationSettingDto } from '../settings/dto/update-own-notification-setting.dto.js';

/** What the address of the page may hold. */
export class NotificationPageDto {
  /** Part of the name or path of a group or project. */
  @TextParam()
  search?: string | null;
}

/** The form of what holds everywhere. */
export class EverywhereFormDto extends UpdateOwnNotificationSettingDto {
  /** Whether the user is told of what they do themselves. */
  @BooleanParam()
  own_activity?: boolean | null;
}
