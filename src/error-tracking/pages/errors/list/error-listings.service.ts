import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../../../core/access/auth-context.js';
import { ApiError } from '../../../../core/errors.js';
import { parsePaging, type Paging } from '../../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../../core/params/input.decorator.js';
import { pagingParams } from '../../../../core/ui/components/list.js';
import { filledIn } from '../../../../core/ui/forms.js';
import { canInProject } from '../../../../identity/members/abilities.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { ErrorStatisticsRepository } from '../../../error-statistics.repository.js';
import { ErrorTrends } from '../../../errors/error-trends.service.js';
import { ErrorGroupsRepository } from '../../../errors/error-groups.repository.js';
import { errorsPath } from '../../../error-paths.js';
import type { KnownValues } from './errors.page.js';
import type { ErrorListing } from './error-list.js';
import { errorsAddress, ErrorsPageDto, errorsQuery, filtersOf } from './errors-query.js';
import { InstanceSettings } from '../../../../core/settings/instance-settings.service.js';
import { ErrorTrackingSettings } from '../../../settings/error-tracking-settings.service.js';
import { trackerExternalUrl } from '../../../settings/tracker-url.js';

/** Time span of the trends, and of errors that are marked as new. */
const HOURS = 24;

/** State of a project's error tracking, with a link to the external tracker. */
export type TrackingState =
  { kind: 'collecting' } | OffState | { kind: 'external'; url: string | null };

interface OffState {
  kind: 'off';
  /** False for a project with an external tracker, and while the instance disables the built-in backend. */
  canEnable: boolean;
}

/** Reads what the list of errors shows. */
@Injectable()
export class ErrorListings {
  constructor(
    private readonly errors: ErrorGroupsRepository,
    private readonly trends: ErrorTrends,
    private readonly statistics: ErrorStatisticsRepository,
    private readonly settings: ErrorTrackingSettings,
    private readonly instance: InstanceSettings,
  ) {}

  /** Returns the errors of the query. Throws 400 for a query that no form of the page makes. */
  async read(
    projectId: number,
    raw: Record<string, unknown>,
    paging: Paging,
  ): Promise<ErrorListing> {
    const query = errorsQuery(await parseInput(ErrorsPageDto, filledIn(raw)));
    const filters = filtersOf(query);
    const [errors, counts] = await Promise.all([
      this.errors.page(projectId, filters, paging),
      this.errors.countByStatus(projectId, filters),
    ]);
    const trends = await this.trends.hourly(
      errors.items.map(({ id }) => id),
      HOURS,
    );
    const newSince = this.trends.firstHour(HOURS);
    return { errors, trends, newSince, counts, query, paging };
  }

  /** Returns the values that the filters offer. */
  async known(projectId: number): Promise<KnownValues> {
    const [environments, releases] = await Promise.all([
      this.statistics.listTagValues(projectId, 'environment'),
      this.statistics.listTagValues(projectId, 'release'),
    ]);
    return { environments, releases };
  }

  /** Returns where the errors of a project are: off without settings, or while the instance disables the built-in backend. */
  async tracking(projectId: number): Promise<TrackingState> {
    const setting = await this.settings.read(projectId);
    const isOffered = this.instance.values.error_tracking_integrated_enabled;
    const canEnable = isOffered && setting?.integrated !== false;
    if (setting === null || !setting.enabled) return { kind: 'off', canEnable };
    if (!setting.integrated) {
      const { apiUrl } = setting;
      return { kind: 'external', url: apiUrl === null ? null : trackerExternalUrl(apiUrl) };
    }
    return canEnable ? { kind: 'collecting' } : { kind: 'off', canEnable };
  }
}

/**
 * Returns the list's path with the query that a form carried along, rebuilt from its valid parts;
 * without a query when the form did not come from the list.
 */
export async function listAddressOf(project: ProjectRow, back: string): Promise<string> {
  const path = errorsPath(project);
  if (back === '') return path;
  const { page, per_page: perPage, ...raw } = Object.fromEntries(new URLSearchParams(back));
  try {
    const query = errorsQuery(await parseInput(ErrorsPageDto, filledIn(raw)));
    return errorsAddress(path, { ...query, ...pagingParams(parsePaging(page, perPage)) });
  } catch (error) {
    if (error instanceof ApiError) return path;
    throw error;
  }
}

/**
 * Returns true if the pages offer updates to the viewer: to developers of projects that are not
 * archived.
 */
export function mayChangeErrors(project: ProjectRow, viewer: Viewer | null): boolean {
  return !project.archived && canInProject('admin_error', { ...project, viewer });
}
