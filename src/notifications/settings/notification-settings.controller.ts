import { Controller, Get, Put } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { CurrentUser } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { UpdateOwnNotificationSettingDto } from './notification-setting.dto.js';
import {
  presentOwnNotificationSetting,
  type OwnNotificationSettingResponse,
} from './notification-setting.presenter.js';
import { NotificationSettingsRepository } from './notification-settings.repository.js';
import { NotificationSettings } from './notification-settings.service.js';

const EVERYWHERE = { kind: 'everywhere' } as const;

/** Global notification setting of the viewer. */
@Controller('notification_settings')
@Scopes()
@Ability('signed_in')
export class NotificationSettingsController {
  constructor(
    private readonly stored: NotificationSettingsRepository,
    private readonly notifications: NotificationSettings,
    private readonly settings: InstanceSettings,
  ) {}

  /** Shows the viewer's notification setting. */
  @Get()
  async show(@CurrentUser() viewer: Viewer): Promise<OwnNotificationSettingResponse> {
    return this.present(await this.stored.findInScope(viewer.id, EVERYWHERE));
  }

  /** Updates the viewer's global notification setting; omitted attributes are unchanged. */
  @Put()
  async update(
    @CurrentUser() viewer: Viewer,
    @Input() dto: UpdateOwnNotificationSettingDto,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<OwnNotificationSettingResponse> {
    const setting = { userId: viewer.id, scope: EVERYWHERE, preconditions };
    return this.present(await this.notifications.update(setting, dto));
  }

  private present(
    row: Parameters<typeof presentOwnNotificationSetting>[0],
  ): OwnNotificationSettingResponse {
    return presentOwnNotificationSetting(row, this.settings.values.tier);
  }
}
