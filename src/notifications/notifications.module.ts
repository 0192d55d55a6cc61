import { Module } from '@nestjs/common';
import { ProjectsModule } from '../workspace/projects/projects.module.js';
import { NotificationPagesController } from './pages/notification-pages.controller.js';
import { PlaceNotificationPagesController } from './pages/place-notification-pages.controller.js';
import { PlaceSettingPages } from './pages/place-setting-pages.service.js';
import { GroupNotificationSettingsController } from './settings/group-notification-settings.controller.js';
import { NotificationSettingsController } from './settings/notification-settings.controller.js';
import { NotificationSettingsRepository } from './settings/notification-settings.repository.js';
import { NotificationSettings } from './settings/notification-settings.service.js';
import { ProjectNotificationSettingsController } from './settings/project-notification-settings.controller.js';
import { SignedInGuard } from './settings/signed-in.guard.js';
import { SubscriptionsModule } from '../workspace/subscriptions/subscriptions.module.js';
import { UnsubscribeKeys } from '../workspace/subscriptions/unsubscribe-keys.js';
import { UnsubscribePagesController } from './unsubscribing/unsubscribe-pages.controller.js';
import { Unsubscriptions } from './unsubscribing/unsubscriptions.service.js';

/** Notification settings (API doc, Notification settings) and what switches emails off. */
@Module({
  imports: [ProjectsModule, SubscriptionsModule],
  controllers: [
    GroupNotificationSettingsController,
    NotificationPagesController,
    NotificationSettingsController,
    PlaceNotificationPagesController,
    ProjectNotificationSettingsController,
    UnsubscribePagesController,
  ],
  providers: [
    NotificationSettings,
    NotificationSettingsRepository,
    PlaceSettingPages,
    SignedInGuard,
    UnsubscribeKeys,
    Unsubscriptions,
  ],
})
export class NotificationsModule {}
