import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { UsersModule } from '../users/users.module.js';
import { VisibleEventsRepository } from './visible-events.repository.js';
import { OwnEventsController } from './own-events.controller.js';
import { ProjectEventsController } from './project-events.controller.js';
import { PushEventsModule } from './pushes/push-events.module.js';
import { UserEventsController } from './user-events.controller.js';

/** Listings of events. */
@Module({
  imports: [ProjectsModule, PushEventsModule, UsersModule],
  controllers: [OwnEventsController, ProjectEventsController, UserEventsController],
  providers: [VisibleEventsRepository],
  exports: [VisibleEventsRepository],
})
export class EventsModule {}
