import { Module } from '@nestjs/common';

/** Background work on notifications: who gets which mail, and what it says. */
@Module({})
export class NotificationsWorkerModule {}
