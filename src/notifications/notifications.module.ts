import { Module } from '@nestjs/common';
import { ProjectsModule } from '../workspace/projects/projects.module.js';
import { ContainerSettingPages } from './pages/container-setting-pages.service.js';
import {
  NotificationPagesController,
  ContainerNotificationPagesController,
} from './pages/notification-pages.controller.js';
import { NotificationSettingsController } from './settings/notification-settings.controller.js';
import {
  UnsubscribePagesController,
  Unsubscriptions,
} from './unsubscribing/unsubscribe-pages.controller.js';
import { NotificationSettingsRepository } from './settings/notification-settings.repository.js';
import { NotificationSettings } from './settings/notification-settings.service.js';
import { SubscriptionsRepository } from '../workspace/subscriptions/subscriptions.repository.js';
import { TodoRecorder } from './todo-recorder.service.js';
import { UnsubscribeKeys } from '../workspace/subscriptions/unsubscribe-keys.js';

/** Notification settings (API doc, Notification settings) and what switches emails off. */
@Module({
  imports: [ProjectsModule],
  controllers: [
    NotificationPagesController,
    NotificationSettingsController,
    ContainerNotificationPagesController,
    UnsubscribePagesController,
  ],
  providers: [
    NotificationSettings,
    NotificationSettingsRepository,
    ContainerSettingPages,
    SubscriptionsRepository,
    TodoRecorder,
    UnsubscribeKeys,
    Unsubscriptions,
  ],
})
export class NotificationsModule {}
