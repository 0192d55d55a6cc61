import { Module } from '@nestjs/common';
import { GitModule } from '../git/git.module.js';
import { GroupsModule } from '../workspace/groups/groups.module.js';
import { ProjectsModule } from '../workspace/projects/projects.module.js';
import { TokensModule } from '../identity/tokens/tokens.module.js';
import { UsersModule } from '../identity/users/users.module.js';
import { EventsController } from './events.controller.js';
import { ActivityPagesController } from './pages/activity-pages.controller.js';
import { AtomFeedsController } from './pages/atom-feeds.controller.js';
import { FeedReader, ProfileActivity } from './pages/feed-reader.service.js';
import { PushEvents } from './pushes/push-events.service.js';
import { WikiEvents } from './pushes/wiki-events.service.js';
import { VisibleEventsRepository } from './visible-events.repository.js';
import { WikiPagesRepository } from './wiki-pages.repository.js';

/** Listings of events, feeds and contribution calendars, and the events of pushes. */
@Module({
  imports: [GitModule, GroupsModule, ProjectsModule, TokensModule, UsersModule],
  controllers: [ActivityPagesController, AtomFeedsController, EventsController],
  providers: [
    FeedReader,
    ProfileActivity,
    PushEvents,
    VisibleEventsRepository,
    WikiEvents,
    WikiPagesRepository,
  ],
  exports: [FeedReader, ProfileActivity, VisibleEventsRepository],
})
export class EventsModule {}
