import { Module } from '@nestjs/common';
import { MailTransport } from './mail-transport.service.js';

/** The SMTP transport, for processes that send email; the web process only queues it. */
@Module({ providers: [MailTransport], exports: [MailTransport] })
export class MailTransportModule {}
