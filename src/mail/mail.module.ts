import { Module } from '@nestjs/common';
import { MailOutbox } from './mail-outbox.service.js';
import { NotificationLetters } from './notification-letters.service.js';
import { OutgoingMailsRepository } from './outgoing-mails.repository.js';

/** Mails to be sent. */
@Module({
  providers: [MailOutbox, NotificationLetters, OutgoingMailsRepository],
  exports: [MailOutbox, NotificationLetters, OutgoingMailsRepository],
})
export class MailModule {}
