import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { QUEUES } from '../core/queue/queues.js';
import { MailOutbox } from './mail-outbox.service.js';
import { MailTransport } from './mail-transport.service.js';

/** Mails to be sent. */
@Module({
  imports: [BullModule.registerQueue({ name: QUEUES.mails })],
  providers: [MailOutbox, MailTransport],
  exports: [MailOutbox, MailTransport],
})
export class MailModule {}
