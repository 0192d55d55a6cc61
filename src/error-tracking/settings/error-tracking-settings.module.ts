import { Module } from '@nestjs/common';

/** How a project tracks its errors, and its client keys. */
@Module({})
export class ErrorTrackingSettingsModule {}
