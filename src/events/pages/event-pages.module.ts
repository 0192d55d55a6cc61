import { Module } from '@nestjs/common';
import { UsersModule } from '../../users/users.module.js';
import { EventsModule } from '../events.module.js';
import { CalendarController } from './calendar.controller.js';

/** Feeds and calendars. */
@Module({
  imports: [EventsModule, UsersModule],
  controllers: [CalendarController],
})
export class EventPagesModule {}
