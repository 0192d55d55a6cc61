import { Module } from '@nestjs/common';
import { GroupsModule } from '../workspace/groups/groups.module.js';
import { ProjectsModule } from '../workspace/projects/projects.module.js';
import { TokensModule } from '../identity/tokens/tokens.module.js';
import { UsersModule } from '../identity/users/users.module.js';
import { EventsController } from './events.controller.js';
import { ActivityPagesController } from './pages/activity-pages.controller.js';
import { AtomFeedsController } from './pages/atom-feeds.controller.js';
import { FeedReader } from './pages/feed-reader.service.js';
import { ProfileActivity } from './pages/profile-activity.service.js';
import { PushEventsModule } from './pushes/push-events.module.js';
import { VisibleEventsRepository } from './visible-events.repository.js';

/** Listings of events, feeds and contribution calendars. */
@Module({
  imports: [GroupsModule, ProjectsModule, PushEventsModule, TokensModule, UsersModule],
  controllers: [ActivityPagesController, AtomFeedsController, EventsController],
  providers: [FeedReader, ProfileActivity, VisibleEventsRepository],
  exports: [FeedReader, ProfileActivity, VisibleEventsRepository],
})
export class EventsModule {}
