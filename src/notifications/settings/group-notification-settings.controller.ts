import { Controller, Get, Put, UseGuards } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { CurrentUser } from '../../core/access/viewer.decorator.js';
import type { Viewer } from '../../core/access/viewer.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { CurrentGroup, GroupAbility } from '../../workspace/groups/group-access.guard.js';
import type { GroupRow } from '../../workspace/groups/groups.repository.js';
import { UpdateNotificationSettingDto } from './notification-setting.dto.js';
import {
  presentNotificationSetting,
  type NotificationSettingResponse,
} from './notification-setting.presenter.js';
import { NotificationSettingsRepository } from './notification-settings.repository.js';
import { NotificationSettings } from './notification-settings.service.js';
import { SignedInGuard } from './signed-in.guard.js';

/** Notification setting of the viewer for a group and all below it; requires read access. */
@Controller('groups/:id/notification_settings')
@Scopes()
@UseGuards(SignedInGuard)
export class GroupNotificationSettingsController {
  constructor(
    private readonly stored: NotificationSettingsRepository,
    private readonly notifications: NotificationSettings,
    private readonly settings: InstanceSettings,
  ) {}

  /** Shows the viewer's notification setting for a group. */
  @Get()
  @GroupAbility('choose_group_mails')
  async show(
    @CurrentUser() viewer: Viewer,
    @CurrentGroup() { id }: GroupRow,
  ): Promise<NotificationSettingResponse> {
    const row = await this.stored.findInScope(viewer.id, { kind: 'group', id });
    return presentNotificationSetting(row, this.settings.values.tier);
  }

  /** Updates the viewer's notification setting for a group; omitted attributes are unchanged. */
  @Put()
  @GroupAbility('choose_group_mails')
  async update(
    @CurrentUser() viewer: Viewer,
    @CurrentGroup() { id }: GroupRow,
    @Input() dto: UpdateNotificationSettingDto,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<NotificationSettingResponse> {
    const setting = { userId: viewer.id, scope: { kind: 'group', id }, preconditions } as const;
    const row = await this.notifications.update(setting, dto);
    return presentNotificationSetting(row, this.settings.values.tier);
  }
}
