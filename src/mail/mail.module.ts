import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { QUEUES } from '../core/queue/queues.js';
import { MailOutbox } from './mail-outbox.service.js';
import { MailStatistics } from './mail-statistics.service.js';
import { NoticeLetters } from './notice-letters.service.js';

/** Mails to be sent. */
@Module({
  imports: [BullModule.registerQueue({ name: QUEUES.mails })],
  providers: [MailOutbox, MailStatistics, NoticeLetters],
  exports: [MailOutbox, MailStatistics, NoticeLetters],
})
export class MailModule {}
