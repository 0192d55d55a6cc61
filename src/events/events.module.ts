import { Module } from '@nestjs/common';
import { PushEventsModule } from './pushes/push-events.module.js';

/** Listings of events. */
@Module({ imports: [PushEventsModule] })
export class EventsModule {}
