import { Controller, Get, Injectable, Post, Query } from '@nestjs/common';
import { ApiError } from '../../../../core/errors.js';
import type { HttpResponse } from '../../../../core/http/http-response.js';
import { atRoot } from '../../../../core/http/root-path.js';
import { Pages, parsePaging, type Paging } from '../../../../core/pagination/paging.decorator.js';
import { InstanceSettings } from '../../../../core/settings/instance-settings.service.js';
import { pagingParams } from '../../../../core/ui/components/pagination.js';
import { Context } from '../../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../../core/ui/page-context.js';
import { canInProject } from '../../../../identity/members/abilities.js';
import { projectInfo } from '../../../../workspace/projects/pages/project-frame.js';
import { ProjectPage } from '../../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { CurrentUser } from '../../../../core/access/viewer.decorator.js';
import type { Viewer } from '../../../../core/access/viewer.js';
import { parseInput } from '../../../../core/params/input.decorator.js';
import { ListParam, TextParam } from '../../../../core/params/params.decorator.js';
import { counted } from '../../../../core/ui/amounts.js';
import { filledIn, FormInput, given, givenList } from '../../../../core/ui/form-input.decorator.js';
import { refusalText } from '../../../../core/ui/refusal-text.js';
import { ErrorStatisticsRepository } from '../../../error-statistics.repository.js';
import { ERROR_STATUSES, type ErrorStatus } from '../../../error-values.js';
import { ErrorGroupsRepository } from '../../../errors/error-groups.repository.js';
import { ErrorStatusService } from '../../../errors/error-status.service.js';
import { ErrorTrends } from '../../../errors/error-trends.service.js';
import { ErrorTrackingSettings } from '../../../settings/error-tracking-settings.service.js';
import { trackerExternalUrl } from '../../../settings/tracker-url.js';
import { doneText } from '../detail/status-menu.js';
import { errorsPath } from '../../../error-paths.js';
import { ErrorList, StatusTabs, type ErrorListing } from './error-list.js';
import { ErrorsPage, type KnownValues } from './errors.page.js';
import {
  addressOfTyped,
  errorsAddress,
  ErrorsPageDto,
  errorsQuery,
  filtersOf,
} from './errors-query.js';

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

/** Fields of the form with the selected errors. */
class ChangeErrorsDto {
  @TextParam({ required: true, values: ERROR_STATUSES })
  status: ErrorStatus;

  @ListParam({ of: 'integer' })
  ids?: number[] | null;
}

type Form = Record<string, unknown>;

/** The page with the errors of a project, for its reporters; developers can change several. */
@Controller(atRoot('*project_path/-/error_tracking'))
export class ErrorListPagesController {
  constructor(
    private readonly listings: ErrorListings,
    private readonly changes: ErrorStatusService,
  ) {}

  /** Lists the unresolved errors, or those that the filters leave. */
  @Get()
  @ProjectPage('read_error', 'signed_in')
  async list(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const typed = addressOfTyped(errorsPath(project), query);
    if (typed !== null) return pageContext.redirect(typed);
    const [listing, known, tracking] = await Promise.all([
      this.listings.read(project.id, query, paging),
      this.listings.known(project.id),
      this.listings.tracking(project.id),
    ]);
    const page = ErrorsPage({ pageContext, project, listing, known, tracking });
    const count = listing.errors.total;
    return pageContext.render(page, { ...projectInfo(project, 'Errors'), count });
  }

  /** Shows the live part of that page. */
  @Get('live')
  @ProjectPage('read_error', 'signed_in')
  async live(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Query() query: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const listing = await this.listings.read(project.id, query, paging);
    const mayChange = mayChangeErrors(project, pageContext.viewer);
    return pageContext.fragment(
      <>
        <ErrorList {...listing} project={project} mayChange={mayChange} />
        <StatusTabs path={errorsPath(project)} listing={listing} isLive />
      </>,
    );
  }

  /** Changes the selected errors of the list. */
  @Post('status')
  @ProjectPage('admin_error', 'signed_in')
  async setMany(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @CurrentUser() viewer: Viewer,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    const target = await listAddressOf(project, given(form, 'back'));
    try {
      const input = { status: given(form, 'status'), ids: givenList(form, 'error_ids') };
      const { status, ids } = await parseInput(ChangeErrorsDto, input);
      if (!ids?.length)
        return pageContext.redirect(target, { alert: 'Select at least one error.' });
      const change = await this.changes.setStatus(project, ids, { status, viewer });
      const notice = `${counted(change.ids.length, 'error')} ${doneText(status, change)}`;
      return pageContext.redirect(target, { notice });
    } catch (error) {
      return pageContext.redirect(target, { alert: refusalText(error) });
    }
  }
}
