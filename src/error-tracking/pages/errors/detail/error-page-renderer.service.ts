import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../../../core/errors.js';
import type { PageContext, Crumb, PageInfo } from '../../../../core/ui/page-context.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import {
  type ErrorDetailsRow,
  type ErrorGroupRow,
  errorTitle,
} from '../../../errors/error-group.js';
import { ErrorActivitiesRepository } from '../../../error-activities.repository.js';
import { ErrorStatisticsRepository } from '../../../error-statistics.repository.js';
import { ErrorTrends } from '../../../errors/error-trends.service.js';
import { ErrorGroupsRepository } from '../../../errors/error-groups.repository.js';
import type { EventRef } from '../../../events/error-events.repository.js';
import { EventReading, type EventWithNeighbours } from '../../../events/event-reading.service.js';
import { ErrorMergesRepository } from '../../../merges/error-merges.repository.js';
import { mayChangeErrors } from '../list/error-listings.service.js';
import type { ErrorPageProps } from './error.page.js';
import type { TrendPoint, TrendSpan } from './trend-chart.js';
import { projectInfo } from '../../../../workspace/projects/pages/project-frame.js';
import { errorPath, errorsPath } from '../../../error-paths.js';

const HOURS = 24;
const HOUR_MS = 3_600_000;
const DAYS = 30;

/** Reads what the pages of an error and its events show. */
@Injectable()
export class ErrorPageRenderer {
  constructor(
    private readonly errors: ErrorGroupsRepository,
    private readonly events: EventReading,
    private readonly trends: ErrorTrends,
    private readonly statistics: ErrorStatisticsRepository,
    private readonly activities: ErrorActivitiesRepository,
    private readonly merges: ErrorMergesRepository,
  ) {}

  /** Returns an error with its newest event, if one is stored; throws 404. */
  async read(
    pageContext: PageContext,
    { project, id }: { project: ProjectRow; id: number },
    span: TrendSpan,
  ): Promise<ErrorPageProps> {
    const error = await this.errors.get(project.id, id);
    const mayChange = mayChangeErrors(project, pageContext.viewer);
    const [points, tags, newest, candidates, activities, merged] = await Promise.all([
      this.points(error, span),
      this.statistics.listTags(error.id),
      this.event(error, 'latest'),
      mayChange ? this.errors.listCandidates(project) : [],
      this.activities.listLatest(error.id),
      this.merges.listMerged(error.id),
    ]);
    const read = { points, tags, newest, candidates, activities, merged };
    return { pageContext, project, error, span, mayChange, ...read };
  }

  /** Returns a stored event with its neighbours; null if it is not stored. */
  async event(error: ErrorDetailsRow, ref: EventRef): Promise<EventWithNeighbours | null> {
    try {
      return await this.events.withNeighbours(error, ref);
    } catch (refusal) {
      if (refusal instanceof NotFoundError) return null;
      throw refusal;
    }
  }

  private async points(error: ErrorGroupRow, span: TrendSpan): Promise<TrendPoint[]> {
    if (span === 'month') {
      const days = await this.trends.daily(error.id, DAYS);
      return days.map(({ day, count }) => ({ start: day, count }));
    }
    const first = this.trends.firstHour(HOURS).getTime();
    const counts = (await this.trends.hourly([error.id], HOURS)).get(error.id) ?? [];
    return counts.map((count, at) => ({
      start: new Date(first + at * HOUR_MS).toISOString().slice(0, 13),
      count,
    }));
  }
}

const LONGEST_CRUMB = 60;

/** Returns the title, breadcrumbs and navigation of an error page. */
export function errorInfo(project: ProjectRow, error: ErrorGroupRow): PageInfo {
  return { ...infoBelow(project, [listOf(project)]), title: errorTitle(error) };
}

/** Returns the title, breadcrumbs and navigation of a page below an error. */
export function errorPartInfo(project: ProjectRow, error: ErrorGroupRow, title: string): PageInfo {
  const name = errorTitle(error);
  const label = name.length > LONGEST_CRUMB ? `${name.slice(0, LONGEST_CRUMB - 1)}…` : name;
  const own = { label, href: errorPath(project, error.id) };
  return { ...infoBelow(project, [listOf(project), own]), title };
}

function infoBelow(project: ProjectRow, steps: Crumb[]): PageInfo {
  const info = projectInfo(project, 'Errors');
  return { ...info, crumbs: [...(info.crumbs ?? []), ...steps] };
}

function listOf(project: ProjectRow): Crumb {
  return { label: 'Errors', href: errorsPath(project) };
}
