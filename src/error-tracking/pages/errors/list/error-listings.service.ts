import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../../core/errors.js';
import type { Paging } from '../../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../../core/params/input.decorator.js';
import { filledIn } from '../../../../core/ui/form-input.decorator.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { ErrorStatisticsRepository } from '../../../error-statistics.repository.js';
import { ErrorTrends } from '../../../errors/error-trends.service.js';
import { ErrorsRepository } from '../../../errors/errors.repository.js';
import { errorsPath } from '../../../error-paths.js';
import type { KnownValues } from './error-list-filters.js';
import type { ErrorListing } from './error-list.js';
import { errorsAddress, ErrorsPageDto, errorsQuery, filtersOf } from './errors-query.js';

/** Reads what the list of errors shows. */
@Injectable()
export class ErrorListings {
  constructor(
    private readonly errors: ErrorsRepository,
    private readonly trends: ErrorTrends,
    private readonly statistics: ErrorStatisticsRepository,
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
    const trends = await this.trends.hourly(errors.items.map(({ id }) => id));
    return { errors, trends, counts, query, paging };
  }

  /** Returns the values that the filters offer. */
  async known(projectId: number): Promise<KnownValues> {
    const [environments, releases] = await Promise.all([
      this.statistics.listTagValues(projectId, 'environment'),
      this.statistics.listTagValues(projectId, 'release'),
    ]);
    return { environments, releases };
  }
}

/**
 * Returns the list's path with the query that a form carried along, rebuilt from its valid parts;
 * without a query when the form did not come from the list.
 */
export async function listAddressOf(project: ProjectRow, back: string): Promise<string> {
  const path = errorsPath(project);
  if (back === '') return path;
  const { page, ...raw } = Object.fromEntries(new URLSearchParams(back));
  try {
    const query = errorsQuery(await parseInput(ErrorsPageDto, filledIn(raw)));
    const isFurther = /^[1-9]\d{0,8}$/.test(page ?? '') && page !== '1';
    return errorsAddress(path, { ...query, ...(isFurther && { page: Number(page) }) });
  } catch (error) {
    if (error instanceof ApiError) return path;
    throw error;
  }
}
