import { Module } from '@nestjs/common';
import { GitModule } from '../git/git.module.js';
import { MailModule } from '../mail/mail.module.js';
import { CommitFactsReader } from './letters/commit-facts-reader.service.js';
import { NoticeLetterWriting } from './letters/notice-letter-writing.service.js';
import { NotificationMailsRepository } from './notification-mails.repository.js';
import { UnsubscribeKeys } from '../subscriptions/unsubscribe-keys.js';
import { CommitAuthors } from './worker/commit-authors.service.js';
import { DueIssues } from './worker/due-issues.service.js';
import { NoticeFanOut } from './worker/notice-fan-out.service.js';
import { NoticePurge } from './worker/notice-purge.service.js';

/** Background work on notifications: who gets which mail, and what it says. */
@Module({
  imports: [GitModule, MailModule],
  providers: [
    CommitAuthors,
    CommitFactsReader,
    DueIssues,
    NoticeFanOut,
    NoticeLetterWriting,
    NoticePurge,
    NotificationMailsRepository,
    UnsubscribeKeys,
  ],
})
export class NotificationsWorkerModule {}
