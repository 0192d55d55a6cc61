import { Module } from '@nestjs/common';

/** What the worker does about events. */
@Module({})
export class EventsWorkerModule {}
