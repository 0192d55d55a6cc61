import { Module } from '@nestjs/common';

/** Notification settings (API doc, Notification settings) and what switches mails off. */
@Module({})
export class NotificationsModule {}
