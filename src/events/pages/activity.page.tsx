import type { VNode } from 'preact';
import type { Viewer } from '../../core/access/viewer.js';
import { ButtonLink } from '../../core/ui/components/button.js';
import { PageHeader, EmptyState } from '../../core/ui/components/content.js';
import type { UserDetails } from '../../identity/users/user.presenter.js';
import type { Page } from '../../core/pagination/page.js';
import { Pagination } from '../../core/ui/components/pagination.js';
import { Tabs } from '../../core/ui/components/tabs.js';
import {
  FEED_CHOICES,
  FEED_FILTERS,
  type FeedFilter,
  type FeedEvent,
} from './feed-reader.service.js';
import { Feed } from './feed.js';

/** The feed of a project. */
export function ProjectActivityPage({ feed }: { feed: ShownFeed }): VNode {
  return (
    <>
      <PageHeader title="Activity" />
      <FeedList
        feed={feed}
        namesProjects={false}
        hint="Push a branch, open an issue or write a comment: it will be listed here."
      />
    </>
  );
}

/** The feed of a group: of all its projects. */
export function GroupActivityPage({ feed }: { feed: ShownFeed }): VNode {
  return (
    <>
      <PageHeader title="Activity" />
      <FeedList
        feed={feed}
        namesProjects
        hint="What happens in the projects of this group will be listed here."
      />
    </>
  );
}

/** Activity of a user. */
export function UserActivityPage({ user, feed }: { user: UserDetails; feed: ShownFeed }): VNode {
  return (
    <>
      <PageHeader title="Activity" description={`What ${user.name} did where you may see it.`} />
      <FeedList feed={feed} namesProjects hint="There is nothing here that you may see." />
    </>
  );
}

/** Activity of the projects that the viewer is a member of. */
export function DashboardActivityPage({
  viewer,
  feed,
}: {
  viewer: Viewer;
  feed: ShownFeed;
}): VNode {
  const own = (
    <ButtonLink href={`/users/${viewer.username}/activity`} variant="outline">
      Your own activity
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Activity"
        description="What happened in the projects that you are a member of."
        actions={own}
      />
      <FeedList
        feed={feed}
        namesProjects
        hint="Join a project, or create one: what happens there will be listed here."
      />
    </>
  );
}

/** One page of a feed. */
export interface ShownFeed {
  page: Page<FeedEvent>;
  paging: { page: number; perPage: number };
  filter: FeedFilter;
  /** Address of the feed. */
  path: string;
}

interface FeedListProps {
  feed: ShownFeed;
  namesProjects: boolean;
  /** Hint for an empty feed. */
  hint: string;
}

/** A feed with its filters and pages. */
function FeedList({ feed, namesProjects, hint }: FeedListProps): VNode {
  const { page, paging, filter, path } = feed;
  return (
    <>
      <Tabs
        label="Kind of activity"
        items={FEED_FILTERS.map((one) => ({
          label: FEED_CHOICES[one].label,
          href: addressOf(path, one),
        }))}
        current={addressOf(path, filter)}
      />
      {page.items.length === 0 ? (
        <EmptyState title={filter === 'all' ? 'No activity yet' : 'No such activity'}>
          {filter === 'all' ? hint : 'Nothing of this kind has happened that you may see.'}
        </EmptyState>
      ) : (
        <Feed events={page.items} namesProjects={namesProjects} />
      )}
      <Pagination page={page} paging={paging} path={path} query={queryOf(filter)} />
    </>
  );
}

function queryOf(filter: FeedFilter): Record<string, string> {
  return filter === 'all' ? {} : { filter };
}

function addressOf(path: string, filter: FeedFilter): string {
  const query = new URLSearchParams(queryOf(filter)).toString();
  return query === '' ? path : `${path}?${query}`;
}
