import { TextParam } from '../../core/params/params.decorator.js';
import type { ListEventsDto } from '../event.dto.js';

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
export class FeedQuery {
  /** A kind of events; all of them unless given. */
  @TextParam({ values: FEED_FILTERS })
  filter?: FeedFilter | null;
}

/** Returns the event filters of a feed. */
export function filtersOf({ filter }: FeedQuery): ListEventsDto {
  return FEED_CHOICES[filter ?? 'all'].filters;
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
