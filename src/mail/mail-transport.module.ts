import { Module } from '@nestjs/common';
import { MailTransport } from './mail-transport.service.js';

/** The way to the SMTP server, for processes that send: the web process only keeps mails. */
@Module({ providers: [MailTransport], exports: [MailTransport] })
export class MailTransportModule {}
