import { Module } from '@nestjs/common';
import { MailDelivery } from './mail-delivery.service.js';
import { MailContents } from './mail-contents.service.js';
import { MailRetryPolicy } from './mail-retry-policy.service.js';
import { MailModule } from './mail.module.js';
import { MailTransportModule } from './mail-transport.module.js';

/** Background work on mails: sending them. */
@Module({
  imports: [MailModule, MailTransportModule],
  providers: [MailContents, MailDelivery, MailRetryPolicy],
})
export class MailWorkerModule {}
