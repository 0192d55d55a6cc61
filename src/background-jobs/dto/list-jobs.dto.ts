import { ListByIdDto } from '../../core/pagination/list-by-id.dto.js';
import { ListParam } from '../../core/params/params.decorator.js';
import { JOB_STATUSES, type JobScope } from '../job-statuses.js';

/** GET /projects/:id/jobs */
export class ListJobsDto extends ListByIdDto {
  /** Only jobs with one of these statuses. */
  @ListParam({ values: JOB_STATUSES, commaSeparated: true })
  scope?: JobScope[];
}
