import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/auth-context.js';
import { EVENT_ACTIONS, type EventAction } from '../../core/activity/event.entity.js';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import { parseInput } from '../../core/params/input.decorator.js';
import { TextParam } from '../../core/params/params.decorator.js';
import { filledIn } from '../../core/ui/forms.js';
import { FeedTokens } from '../../identity/tokens/feed-tokens.service.js';
import type { UserDetails } from '../../identity/users/user.presenter.js';
import { UsersRepository } from '../../identity/users/users.repository.js';
import type { GroupRow } from '../../workspace/groups/groups.repository.js';
import {
  fullPathOf,
  ProjectsRepository,
  type NamedProject,
  type ProjectRow,
} from '../../workspace/projects/projects.repository.js';
import { DayParam, type ListEventsDto } from '../event.dto.js';
import {
  VisibleEventsRepository,
  type EventListRequest,
  type EventRow,
  type ContributionDay,
} from '../visible-events.repository.js';
import { Clock } from '../../core/clock.js';

export const FEED_FILTERS = [
  'all',
  'pushes',
  'merges',
  'issues',
  'comments',
  'milestones',
  'wiki',
  'team',
] as const;
export type FeedFilter = (typeof FEED_FILTERS)[number];

/** Which events a feed shows. */
class FeedQuery {
  /** A kind of events; all of them unless given. */
  @TextParam({ values: FEED_FILTERS })
  filter?: FeedFilter | null;

  @TextParam({ values: Object.keys(EVENT_ACTIONS) as EventAction[] })
  action?: EventAction | null;

  /** First day (UTC). */
  @DayParam()
  from?: string | null;

  /** Last day (UTC). */
  @DayParam()
  to?: string | null;
}

/** Filters of feeds, with their labels and event filters. */
export const FEED_CHOICES: Record<FeedFilter, { label: string; filters: ListEventsDto }> = {
  all: { label: 'All', filters: {} },
  pushes: { label: 'Pushes', filters: { action: 'pushed' } },
  merges: { label: 'Merges', filters: { action: 'merged' } },
  issues: { label: 'Issues', filters: { target_type: 'issue' } },
  comments: { label: 'Comments', filters: { action: 'commented' } },
  milestones: { label: 'Milestones', filters: { target_type: 'milestone' } },
  wiki: { label: 'Wiki', filters: { target_type: 'wiki' } },
  team: { label: 'Team', filters: { target_type: 'project' } },
};

/** Returns the event filters of a feed; the action of a kind of events comes before another. */
function filtersOf({ filter, action, from, to }: FeedQuery): ListEventsDto {
  return {
    ...(action && { action }),
    ...FEED_CHOICES[filter ?? 'all'].filters,
    ...(from && { after: shiftedDay(from, -1) }),
    ...(to && { before: shiftedDay(to, 1) }),
  };
}

const DAY_MS = 86_400_000;
/** Days of which the neighbours have four digits in the year as well. */
const DAYS = { first: '1970-01-02', last: '9998-12-31' };

function shiftedDay(day: string, days: number): string {
  const bounded = day < DAYS.first ? DAYS.first : day > DAYS.last ? DAYS.last : day;
  const time = Date.parse(`${bounded}T00:00:00Z`) + days * DAY_MS;
  return new Date(time).toISOString().slice(0, 10);
}

/** An event and the project that it is of. */
export interface FeedEvent {
  event: EventRow;
  project: NamedProject;
}

/** Page of a feed: its viewer, query and position. */
interface FeedRequest {
  viewer: Viewer | null;
  /** Query of the request. */
  query: Record<string, unknown>;
  paging: EventListRequest<EventRow>['paging'];
}

/** One page of a feed. */
export interface ShownFeed {
  page: Page<FeedEvent>;
  paging: { page: number; perPage: number };
  query: FeedQuery;
  /** Path of the page. */
  path: string;
  /** Feed token of the viewer; null without one. */
  token: string | null;
  isSignedIn: boolean;
}

const NOTHING = { items: [], hasNext: false, total: 0 };

/** Reads the feeds of projects, groups and users as their viewer can see them. */
@Injectable()
export class FeedReader {
  constructor(
    private readonly events: VisibleEventsRepository,
    private readonly projects: ProjectsRepository,
    private readonly users: UsersRepository,
    private readonly tokens: FeedTokens,
  ) {}

  /** Reads the feed of all projects of a group and below. Throws 400 for invalid filters. */
  ofGroup(group: GroupRow, request: FeedRequest): Promise<ShownFeed> {
    const path = `/groups/${group.fullPath}/-/activity`;
    return this.read(path, request, (list) => this.events.listOfGroup(group.id, list));
  }

  /** Reads the feed of a project. Throws 400 for invalid filters. */
  ofProject(project: ProjectRow, request: FeedRequest): Promise<ShownFeed> {
    const path = `/${fullPathOf(project)}/-/activity`;
    return this.read(path, request, (list) => this.events.listOfProject(project, list));
  }

  /** Reads the feed of a user, empty if the profile is hidden. Throws 400 for invalid filters, 404. */
  async ofUser(
    username: string,
    request: FeedRequest,
  ): Promise<{ user: UserDetails; feed: ShownFeed }> {
    const user = await this.users.findByUsername(username);
    if (user === null) throw new NotFoundError();
    const path = `/users/${user.username}/activity`;
    const isShown = showsActivity(user, request.viewer);
    const feed = await this.read(path, request, (list) =>
      isShown ? this.events.listOfUser(user.id, list) : Promise.resolve(NOTHING),
    );
    return { user, feed };
  }

  /** Reads the feed of the projects of which the viewer is a member. Throws 400 for invalid filters. */
  ofMember(viewer: Viewer, request: Omit<FeedRequest, 'viewer'>): Promise<ShownFeed> {
    return this.read('/dashboard/activity', { ...request, viewer }, (list) =>
      this.events.listOfMember({ ...list, viewer }),
    );
  }

  /** One that has lost its project since it was read is left out. */
  async withProjects(events: readonly EventRow[]): Promise<FeedEvent[]> {
    const ids = [...new Set(events.map(({ projectId }) => projectId))];
    const found = ids.length === 0 ? [] : await this.projects.findNamed(ids);
    const projects = new Map(found.map((project) => [project.id, project]));
    return events.flatMap((event) => {
      const project = projects.get(event.projectId);
      return project === undefined ? [] : [{ event, project }];
    });
  }

  private async read(
    path: string,
    { viewer, query: raw, paging }: FeedRequest,
    list: (request: EventListRequest<EventRow>) => Promise<Page<EventRow>>,
  ): Promise<ShownFeed> {
    const query = await parseInput(FeedQuery, filledIn(raw));
    const [page, token] = await Promise.all([
      list({ viewer, filters: filtersOf(query), paging, read: this.events.readRows }),
      viewer === null ? null : this.tokens.find(viewer.id),
    ]);
    const items = await this.withProjects(page.items);
    const isSignedIn = viewer !== null;
    return { page: { ...page, items }, paging, query, path, token, isSignedIn };
  }
}

/** Returns the parameters of a feed's query, for links. */
export function feedParams({ filter, action, from, to }: FeedQuery): Record<string, string> {
  const given = { filter: filter === 'all' ? null : filter, action, from, to };
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}

/**
 * Returns true if the viewer can see the user's activity. Private profiles, and those of blocked or
 * unconfirmed users, show it only to administrators and the user.
 */
export function showsActivity(user: UserDetails, viewer: Viewer | null): boolean {
  if (viewer?.admin === true || viewer?.id === user.id) return true;
  const isKeptOut = ['blocked', 'banned', 'pending'].includes(user.state);
  const isUnknown = user.userType === 'human' && user.confirmedAt === null;
  return !user.privateProfile && !isKeptOut && !isUnknown;
}

const LATEST = 10;

/** Activity section of a user's profile. */
export interface ShownActivity {
  username: string;
  days: ContributionDay[];
  latest: FeedEvent[];
  /** The moment that the days lead up to. */
  now: Date;
}

/** Reads the activity that the page of a user shows. */
@Injectable()
export class ProfileActivity {
  constructor(
    private readonly events: VisibleEventsRepository,
    private readonly feeds: FeedReader,
    private readonly clock: Clock,
  ) {}

  /** Returns the activity that the viewer can see; null if the user hides it. */
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
