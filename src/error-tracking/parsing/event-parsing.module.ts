import { Module } from '@nestjs/common';
import { EVENT_READER_FILE, EventReader, eventReaderFile } from './threads/event-reader.service.js';

/** Reading what SDKs send. */
@Module({
  providers: [EventReader, { provide: EVENT_READER_FILE, useValue: eventReaderFile }],
  exports: [EventReader],
})
export class EventParsingModule {}
