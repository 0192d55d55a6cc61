import type { VNode } from 'preact';
import type { Page } from '../../core/pagination/page.js';
import { EmptyState } from '../../core/ui/components/content.js';
import { Pagination } from '../../core/ui/components/pagination.js';
import { Tabs } from '../../core/ui/components/tabs.js';
import { FEED_CHOICES, FEED_FILTERS, type FeedFilter } from './feed-filters.js';
import type { FeedEvent } from './feed-reader.service.js';
import { Feed } from './feed.js';

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
export function FeedList({ feed, namesProjects, hint }: FeedListProps): VNode {
  const { page, paging, filter, path } = feed;
  return (
    <>
      <Tabs
        label="Kind of activity"
        variant="pills"
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
