import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { QUEUES } from '../core/queue/queues.js';
import { MailOutbox } from './mail-outbox.service.js';
import { NoticeLetters } from './notice-letters.service.js';
import { OutgoingMailsRepository } from './outgoing-mails.repository.js';

/** Mails to be sent. */
@Module({
  imports: [BullModule.registerQueue({ name: QUEUES.mails })],
  providers: [MailOutbox, NoticeLetters, OutgoingMailsRepository],
  exports: [MailOutbox, NoticeLetters, OutgoingMailsRepository],
})
export class MailModule {}
