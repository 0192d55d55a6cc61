import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../projects/projects.module.js';
import { ErrorEventsController } from './error-events.controller.js';
import { ErrorEventsFinder } from './error-events-finder.service.js';
import { EventLookupController } from './event-lookup.controller.js';
import { EventReading } from './event-reading.service.js';

/** Stored events of errors, unpacked. */
@Module({
  imports: [ProjectsModule],
  controllers: [ErrorEventsController, EventLookupController],
  providers: [ErrorEventsFinder, EventReading],
  exports: [ErrorEventsFinder, EventReading],
})
export class ErrorEventsModule {}
