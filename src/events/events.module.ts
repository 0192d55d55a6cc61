import { Module } from '@nestjs/common';
import { GroupsModule } from '../workspace/groups/groups.module.js';
import { ProjectsModule } from '../workspace/projects/projects.module.js';
import { UsersModule } from '../identity/users/users.module.js';
import { OwnEventsController } from './own-events.controller.js';
import { CalendarController } from './pages/calendar.controller.js';
import { ContainerActivityPagesController } from './pages/container-activity-pages.controller.js';
import { FeedReader } from './pages/feed-reader.service.js';
import { PeopleActivityPagesController } from './pages/people-activity-pages.controller.js';
import { ProfileActivity } from './pages/profile-activity.service.js';
import { ProjectEventsController } from './project-events.controller.js';
import { PushEventsModule } from './pushes/push-events.module.js';
import { UserEventsController } from './user-events.controller.js';
import { VisibleEventsRepository } from './visible-events.repository.js';

/** Listings of events, feeds and contribution calendars. */
@Module({
  imports: [GroupsModule, ProjectsModule, PushEventsModule, UsersModule],
  controllers: [
    CalendarController,
    ContainerActivityPagesController,
    PeopleActivityPagesController,
    OwnEventsController,
    ProjectEventsController,
    UserEventsController,
  ],
  providers: [FeedReader, ProfileActivity, VisibleEventsRepository],
  exports: [ProfileActivity, VisibleEventsRepository],
})
export class EventsModule {}
