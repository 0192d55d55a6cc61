import { Injectable } from '@nestjs/common';
import type { Page } from '../../core/pagination/page.js';
import {
  ProjectsRepository,
  type NamedProject,
} from '../../workspace/projects/projects.repository.js';
import type { EventRow } from '../visible-events.repository.js';
import type { ShownFeed } from './activity.page.js';
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

/** An event and the project that it is of. */
export interface FeedEvent {
  event: EventRow;
  project: NamedProject;
}

/** Path and query of a feed. */
interface FeedPageContext {
  query: FeedQuery;
  paging: { page: number; perPage: number };
  path: string;
}

/** Adds to events what feeds show beside them. */
@Injectable()
export class FeedReader {
  constructor(private readonly projects: ProjectsRepository) {}

  /** A page of events as feeds show it. */
  async shown(page: Page<EventRow>, { query, paging, path }: FeedPageContext): Promise<ShownFeed> {
    const items = await this.withProjects(page.items);
    return { page: { ...page, items }, paging, filter: query.filter ?? 'all', path };
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
}
