import { Module } from '@nestjs/common';
import { MailOutbox } from './mail-outbox.service.js';
import { NoticeLetters } from './notice-letters.service.js';
import { OutgoingMailsRepository } from './outgoing-mails.repository.js';

/** Mails to be sent. */
@Module({
  providers: [MailOutbox, NoticeLetters, OutgoingMailsRepository],
  exports: [MailOutbox, NoticeLetters, OutgoingMailsRepository],
})
export class MailModule {}
