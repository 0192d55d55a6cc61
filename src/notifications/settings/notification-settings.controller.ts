import {
  applyDecorators,
  Controller,
  Get,
  Put,
  UseGuards,
  Injectable,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { authContext, CurrentUser, type Viewer } from '../../core/access/auth-context.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import {
  UpdateNotificationSettingDto,
  UpdateOwnNotificationSettingDto,
  type SettingScope,
} from './notification-setting.dto.js';
import {
  presentOwnNotificationSetting,
  type OwnNotificationSettingResponse,
  presentNotificationSetting,
  type NotificationSettingResponse,
} from './notification-setting.presenter.js';
import { NotificationSettingsRepository } from './notification-settings.repository.js';
import { NotificationSettings } from './notification-settings.service.js';
import { CurrentGroup, GroupAbility } from '../../workspace/groups/group-access.guard.js';
import type { GroupRow } from '../../workspace/groups/groups.repository.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { UnauthorizedError } from '../../core/errors.js';

/** 401 for who is not signed in, before any group or project is looked for. */
@Injectable()
class SignedInGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { viewer } = authContext(context.switchToHttp().getRequest<Request>());
    if (viewer === null) throw new UnauthorizedError();
    return true;
  }
}

const EVERYWHERE = { kind: 'everywhere' } as const;

const OfGroup = (): MethodDecorator =>
  applyDecorators(UseGuards(SignedInGuard), GroupAbility('choose_group_mails'));
const OfProject = (): MethodDecorator =>
  applyDecorators(UseGuards(SignedInGuard), ProjectAbility('choose_project_mails'));

/** Notification settings of the viewer: global, for a group with all below it, and for a project. */
@Controller()
@Scopes()
export class NotificationSettingsController {
  constructor(
    private readonly stored: NotificationSettingsRepository,
    private readonly notifications: NotificationSettings,
    private readonly settings: InstanceSettings,
  ) {}

  /** Shows the viewer's notification setting. */
  @Get('notification_settings')
  @Ability('signed_in')
  async show(@CurrentUser() viewer: Viewer): Promise<OwnNotificationSettingResponse> {
    const row = await this.stored.findInScope(viewer.id, EVERYWHERE);
    return presentOwnNotificationSetting(row, this.settings.values.tier);
  }

  /** Updates the viewer's global notification setting; omitted attributes are unchanged. */
  @Put('notification_settings')
  @Ability('signed_in')
  async update(
    @CurrentUser() viewer: Viewer,
    @Input() dto: UpdateOwnNotificationSettingDto,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<OwnNotificationSettingResponse> {
    const setting = { userId: viewer.id, scope: EVERYWHERE, preconditions };
    const row = await this.notifications.update(setting, dto);
    return presentOwnNotificationSetting(row, this.settings.values.tier);
  }

  /** Shows the viewer's notification setting for a group. */
  @Get('groups/:id/notification_settings')
  @OfGroup()
  showOfGroup(
    @CurrentUser() viewer: Viewer,
    @CurrentGroup() { id }: GroupRow,
  ): Promise<NotificationSettingResponse> {
    return this.showIn({ kind: 'group', id }, viewer);
  }

  /** Updates the viewer's notification setting for a group; omitted attributes are unchanged. */
  @Put('groups/:id/notification_settings')
  @OfGroup()
  updateOfGroup(
    @CurrentUser() viewer: Viewer,
    @CurrentGroup() { id }: GroupRow,
    @Input() dto: UpdateNotificationSettingDto,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<NotificationSettingResponse> {
    return this.updateIn({ scope: { kind: 'group', id }, userId: viewer.id, preconditions }, dto);
  }

  /** Shows the viewer's notification setting for a project. */
  @Get('projects/:id/notification_settings')
  @OfProject()
  showOfProject(
    @CurrentUser() viewer: Viewer,
    @CurrentProject() { id }: ProjectRow,
  ): Promise<NotificationSettingResponse> {
    return this.showIn({ kind: 'project', id }, viewer);
  }

  /** Updates the viewer's notification setting for a project; omitted attributes are unchanged. */
  @Put('projects/:id/notification_settings')
  @OfProject()
  updateOfProject(
    @CurrentUser() viewer: Viewer,
    @CurrentProject() { id }: ProjectRow,
    @Input() dto: UpdateNotificationSettingDto,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<NotificationSettingResponse> {
    return this.updateIn({ scope: { kind: 'project', id }, userId: viewer.id, preconditions }, dto);
  }

  private async showIn(
    scope: SettingScope,
    { id: userId }: Viewer,
  ): Promise<NotificationSettingResponse> {
    const row = await this.stored.findInScope(userId, scope);
    return presentNotificationSetting(row, this.settings.values.tier);
  }

  private async updateIn(
    ...change: Parameters<NotificationSettings['update']>
  ): Promise<NotificationSettingResponse> {
    const row = await this.notifications.update(...change);
    return presentNotificationSetting(row, this.settings.values.tier);
  }
}
