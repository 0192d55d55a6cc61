import { Module } from '@nestjs/common';
import { GroupsModule } from '../../groups/groups.module.js';
import { ProjectsModule } from '../../projects/projects.module.js';
import { UsersModule } from '../../users/users.module.js';
import { EventsModule } from '../events.module.js';
import { CalendarController } from './calendar.controller.js';
import { ContainerActivityPagesController } from './container-activity-pages.controller.js';
import { FeedReader } from './feed-reader.service.js';
import { PeopleActivityPagesController } from './people-activity-pages.controller.js';
import { ProfileActivity } from './profile-activity.service.js';

/** Feeds and calendars. */
@Module({
  imports: [EventsModule, GroupsModule, ProjectsModule, UsersModule],
  controllers: [
    CalendarController,
    ContainerActivityPagesController,
    PeopleActivityPagesController,
  ],
  providers: [FeedReader, ProfileActivity],
  exports: [ProfileActivity],
})
export class EventPagesModule {}
