import { Module } from '@nestjs/common';

/** What the worker does about errors: partitions of their events, and how long they are kept. */
@Module({})
export class ErrorTrackingWorkerModule {}
