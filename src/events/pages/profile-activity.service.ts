import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/auth-context.js';
import { Clock } from '../../core/clock.js';
import type { UserDetails } from '../../identity/users/user.presenter.js';
import { VisibleEventsRepository, type ContributionDay } from '../visible-events.repository.js';
import { type FeedEvent, FeedReader, showsActivity } from './feed-reader.service.js';

const LATEST = 10;

/** Activity section of a user's profile. */
export interface ShownActivity {
  username: string;
  days: ContributionDay[];
  latest: FeedEvent[];
  /** The moment that the days lead up to. */
  now: Date;
}

/** Reads what a person's page shows of what they do. */
@Injectable()
export class ProfileActivity {
  constructor(
    private readonly events: VisibleEventsRepository,
    private readonly feeds: FeedReader,
    private readonly clock: Clock,
  ) {}

  /** As far as the viewer can see it; null for people who show nothing to them. */
  async of(user: UserDetails, viewer: Viewer | null): Promise<ShownActivity | null> {
    if (!showsActivity(user, viewer)) return null;
    const [days, events] = await Promise.all([
      this.events.contributionDays(user.id, viewer),
      this.events.latestOfUser(user.id, viewer, LATEST),
    ]);
    const latest = await this.feeds.withProjects(events);
    return { username: user.username, days, latest, now: this.clock.now() };
  }
}
