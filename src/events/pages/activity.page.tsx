import type { VNode } from 'preact';
import { FEED_TOKEN_PARAM } from '../../core/access/access.decorator.js';
import type { Viewer } from '../../core/access/auth-context.js';
import { ButtonLink } from '../../core/ui/components/button.js';
import { EmptyState, PageHeader } from '../../core/ui/components/content.js';
import { FilterBar } from '../../core/ui/components/filter-bar.js';
import { Pagination } from '../../core/ui/components/list.js';
import { Tabs } from '../../core/ui/components/tabs.js';
import { FEED_TOKEN_PATH } from '../../identity/tokens/feed-tokens.service.js';
import type { UserDetails } from '../../identity/users/user.presenter.js';
import {
  FEED_CHOICES,
  FEED_FILTERS,
  feedParams,
  type FeedFilter,
  type ShownFeed,
} from './feed-reader.service.js';
import { Feed } from './feed.js';

/** Activity of a project. */
export function ProjectActivityPage({ feed }: { feed: ShownFeed }): VNode {
  return (
    <>
      <PageHeader title="Activity" actions={<FeedLink feed={feed} />} />
      <FeedList
        feed={feed}
        namesProjects={false}
        hint="Pushes, issues, merge requests and comments appear here."
      />
    </>
  );
}

/** Activity of a group: of all its projects. */
export function GroupActivityPage({ feed }: { feed: ShownFeed }): VNode {
  return (
    <>
      <PageHeader title="Activity" actions={<FeedLink feed={feed} />} />
      <FeedList
        feed={feed}
        namesProjects
        hint="Activity in the projects of this group appears here."
      />
    </>
  );
}

/** Activity of a user. */
export function UserActivityPage({ user, feed }: { user: UserDetails; feed: ShownFeed }): VNode {
  return (
    <>
      <PageHeader title="Activity" description={user.name} actions={<FeedLink feed={feed} />} />
      <FeedList feed={feed} namesProjects none="No visible activity" />
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
  return (
    <>
      <PageHeader
        title="Activity"
        description="In your projects"
        actions={
          <>
            <ButtonLink href={`/users/${viewer.username}/activity`} variant="outline">
              Your own activity
            </ButtonLink>
            <FeedLink feed={feed} />
          </>
        }
      />
      <FeedList
        feed={feed}
        namesProjects
        hint="Join or create a project. Its activity appears here."
      />
    </>
  );
}

/** Returns path and query of the Atom feed with the same filters, for the viewer's feed reader. */
export function feedPath({ path, query, token }: ShownFeed): string {
  const params = { ...feedParams(query), ...(token !== null && { [FEED_TOKEN_PARAM]: token }) };
  return addressOf(`${path}.atom`, params);
}

/** Leads to the feed; users without a feed token create one first. */
function FeedLink({ feed }: { feed: ShownFeed }): VNode {
  const needsToken = feed.isSignedIn && feed.token === null;
  return (
    <ButtonLink href={needsToken ? FEED_TOKEN_PATH : feedPath(feed)} variant="outline">
      Atom feed
    </ButtonLink>
  );
}

interface FeedListProps {
  feed: ShownFeed;
  namesProjects: boolean;
  /** Title of an empty feed. */
  none?: string;
  /** Hint for an empty feed. */
  hint?: string;
}

/** A feed with its filters and pages. */
function FeedList({ feed, namesProjects, none = 'No activity yet', hint }: FeedListProps): VNode {
  const { page, paging, query, path } = feed;
  const filter = query.filter ?? 'all';
  const params = feedParams(query);
  const isFiltered = Object.keys(params).length > 0;
  const hrefOf = (one: FeedFilter): string =>
    addressOf(path, feedParams({ ...query, filter: one, action: null }));
  return (
    <>
      <Tabs
        label="Kind of activity"
        items={FEED_FILTERS.map((one) => ({ label: FEED_CHOICES[one].label, href: hrefOf(one) }))}
        current={hrefOf(filter)}
      />
      <Filters feed={feed} filter={filter} />
      {page.items.length === 0 ? (
        <EmptyState
          title={isFiltered ? 'No matching activity' : none}
          action={
            isFiltered ? (
              <ButtonLink href={path} variant="outline">
                Clear filters
              </ButtonLink>
            ) : undefined
          }
        >
          {isFiltered ? undefined : hint}
        </EmptyState>
      ) : (
        <Feed events={page.items} namesProjects={namesProjects} />
      )}
      <Pagination page={page} paging={paging} path={path} query={params} />
    </>
  );
}

const ACTIONS = [
  { value: 'created', label: 'Opened or created' },
  { value: 'updated', label: 'Updated' },
  { value: 'closed', label: 'Closed' },
  { value: 'reopened', label: 'Reopened' },
  { value: 'merged', label: 'Merged' },
  { value: 'approved', label: 'Approved' },
  { value: 'commented', label: 'Commented' },
  { value: 'pushed', label: 'Pushed' },
  { value: 'joined', label: 'Joined' },
  { value: 'left', label: 'Left' },
  { value: 'expired', label: 'Membership expired' },
  { value: 'destroyed', label: 'Deleted' },
];

/** Action and range of days; kinds that are an action themselves have the days only. */
function Filters({
  feed: { path, query },
  filter,
}: {
  feed: ShownFeed;
  filter: FeedFilter;
}): VNode {
  const { action, from, to } = query;
  const isAction = FEED_CHOICES[filter].filters.action !== undefined;
  return (
    <FilterBar
      path={path}
      search={false}
      fields={[
        ...(isAction ? [] : [{ name: 'action', label: 'Action', value: action, options: ACTIONS }]),
        { name: 'from', label: 'From (UTC)', value: from, type: 'date' as const },
        { name: 'to', label: 'To (UTC)', value: to, type: 'date' as const },
      ]}
      kept={{ filter: filter === 'all' ? null : filter }}
    />
  );
}

function addressOf(path: string, params: Record<string, string>): string {
  const query = new URLSearchParams(params).toString();
  return query === '' ? path : `${path}?${query}`;
}
