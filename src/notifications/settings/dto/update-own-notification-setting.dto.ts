import { TextParam } from '../../../core/params/params.decorator.js';
import { UpdateNotificationSettingDto } from './update-notification-setting.dto.js';

/** PUT of the setting that holds where no group or project has one. */
export class UpdateOwnNotificationSettingDto extends UpdateNotificationSettingDto {
  /** A confirmed email of the user; empty for the primary one. */
  @TextParam()
  notification_email?: string | null;
}
