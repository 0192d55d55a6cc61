import { Module } from '@nestjs/common';
import { MailDelivery } from './mail-delivery.service.js';
import { MailContents } from './mail-contents.service.js';
import { MailRetryPolicy } from './mail-retry-policy.service.js';
import { MailModule } from './mail.module.js';
import { MailTransport } from './mail-transport.service.js';

/** Delivery of emails. */
@Module({
  imports: [MailModule],
  providers: [MailContents, MailDelivery, MailRetryPolicy, MailTransport],
})
export class MailWorkerModule {}
