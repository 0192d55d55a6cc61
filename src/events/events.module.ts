import { Module } from '@nestjs/common';

/** Listings of events. */
@Module({})
export class EventsModule {}
