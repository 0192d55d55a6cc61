import { Module } from '@nestjs/common';
import { MailClaims } from './mail-claims.service.js';
import { MailDelivery } from './mail-delivery.service.js';
import { MailContents } from './mail-contents.service.js';
import { MailRefusals } from './mail-refusals.service.js';
import { MailModule } from './mail.module.js';
import { MailTransportModule } from './mail-transport.module.js';
import { MailsProcessor } from './mails.processor.js';

/** Background work on mails: sending them. */
@Module({
  imports: [MailModule, MailTransportModule],
  providers: [MailClaims, MailContents, MailDelivery, MailRefusals, MailsProcessor],
})
export class MailWorkerModule {}
