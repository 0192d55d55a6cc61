import { Module } from '@nestjs/common';

/** Background work on alerts: incidents, mails, resolution after silence, old deliveries. */
@Module({})
export class AlertsWorkerModule {}
