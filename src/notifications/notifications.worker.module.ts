import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { QUEUES } from '../core/queue/queues.js';
import { MailModule } from '../mail/mail.module.js';
import { DueIssues } from './worker/due-issues.service.js';
import { NoticeFanOut } from './worker/notice-fan-out.service.js';
import { NoticePurge } from './worker/notice-purge.service.js';
import { NoticeRounds } from './worker/notice-rounds.service.js';
import { NoticesProcessor } from './worker/notices.processor.js';

/** Background work on notifications: who gets which mail, and what it says. */
@Module({
  imports: [BullModule.registerQueue({ name: QUEUES.notices }), MailModule],
  providers: [DueIssues, NoticeFanOut, NoticePurge, NoticeRounds, NoticesProcessor],
})
export class NotificationsWorkerModule {}
