import { Module } from '@nestjs/common';
import { FailedMails } from '../failed-mails.service.js';
import { MailModule } from '../mail.module.js';
import { FailedMailPagesController } from './failed-mail-pages.controller.js';

/** The administrators' page about mails. */
@Module({
  imports: [MailModule],
  controllers: [FailedMailPagesController],
  providers: [FailedMails],
})
export class FailedMailPagesModule {}
