import { Module } from '@nestjs/common';

/** Writing what monitoring tools told: the one way into the table of alerts. */
@Module({})
export class AlertIngestModule {}
