import { Module } from '@nestjs/common';
import { GitModule } from '../git/git.module.js';
import { MailModule } from '../core/mail/mail.module.js';
import { CommitFactsReader } from './emails/commit-facts-reader.service.js';
import { NotificationEmailRenderer } from './emails/notification-email-renderer.service.js';
import { NotificationMailsRepository } from './notification-mails.repository.js';
import { TodoRecorder } from './todo-recorder.service.js';
import { UnsubscribeKeys } from '../workspace/subscriptions/unsubscribe-keys.js';
import { NotificationFanOut } from './worker/notification-fan-out.service.js';
import { DueDateReminders, NotificationPurge } from './worker/notification-maintenance.service.js';

/** Background work on notifications: recipients and emails. */
@Module({
  imports: [GitModule, MailModule],
  providers: [
    CommitFactsReader,
    DueDateReminders,
    NotificationFanOut,
    NotificationEmailRenderer,
    NotificationPurge,
    NotificationMailsRepository,
    TodoRecorder,
    UnsubscribeKeys,
  ],
})
export class NotificationsWorkerModule {}
