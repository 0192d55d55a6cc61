import { Module } from '@nestjs/common';
import { MailOutbox } from './mail-outbox.service.js';
import { NotificationEmails } from './notification-emails.service.js';
import { OutgoingMailsRepository } from './outgoing-mails.repository.js';

/** The outbox of emails. */
@Module({
  providers: [MailOutbox, NotificationEmails, OutgoingMailsRepository],
  exports: [MailOutbox, NotificationEmails, OutgoingMailsRepository],
})
export class MailModule {}
