import { Injectable } from '@nestjs/common';
import { ErrorStatisticsRepository } from '../error-statistics.repository.js';
import { ErrorTrends } from './error-trends.service.js';
import {
  presentErrorDetails,
  type ErrorPresentation,
  type PresentedErrorDetails,
} from './error.presenter.js';
import { ErrorsRepository } from './errors.repository.js';

/** Reads all that is shown of one error. */
@Injectable()
export class ErrorDetailsReader {
  constructor(
    private readonly errors: ErrorsRepository,
    private readonly statistics: ErrorStatisticsRepository,
    private readonly trends: ErrorTrends,
  ) {}

  /** The error with that id in the project; 404 when there is none. */
  async read(id: number, presentation: ErrorPresentation): Promise<PresentedErrorDetails> {
    const row = await this.errors.get(presentation.project.id, id);
    const [{ firstHour, hours }, tags] = await Promise.all([
      this.trends.lastHours(row.id),
      this.statistics.listTags(row.id),
    ]);
    return presentErrorDetails(row, { hours, firstHour, tags }, presentation);
  }
}
