import { Module } from '@nestjs/common';
import { ErrorRepositoriesModule } from '../error-repositories.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { ErrorEventsController } from './error-events.controller.js';
import { EventLookupController } from './event-lookup.controller.js';
import { EventReading } from './event-reading.service.js';

/** Stored events of errors, unpacked. */
@Module({
  imports: [ErrorRepositoriesModule, ProjectsModule],
  controllers: [ErrorEventsController, EventLookupController],
  providers: [EventReading],
  exports: [EventReading],
})
export class ErrorEventsModule {}
