import { Injectable } from '@nestjs/common';
import { ErrorTags } from './error-tags.service.js';
import { ErrorTrends } from './error-trends.service.js';
import {
  presentErrorDetails,
  type ErrorPresentation,
  type PresentedErrorDetails,
} from './error.presenter.js';
import { ErrorsFinder } from './errors-finder.service.js';

/** Reads all that is shown of one error. */
@Injectable()
export class ErrorDetailsReader {
  constructor(
    private readonly finder: ErrorsFinder,
    private readonly tags: ErrorTags,
    private readonly trends: ErrorTrends,
  ) {}

  /** The error with that id in the project; 404 when there is none. */
  async read(id: number, presentation: ErrorPresentation): Promise<PresentedErrorDetails> {
    const row = await this.finder.get(presentation.project.id, id);
    const [{ firstHour, hours }, tags] = await Promise.all([
      this.trends.lastHours(row.id),
      this.tags.distribution(row.id),
    ]);
    return presentErrorDetails(row, { hours, firstHour, tags }, presentation);
  }
}
