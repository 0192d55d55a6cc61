import { ListByIdDto } from '../../core/pagination/keyset.js';
import { ListParam } from '../../core/params/params.decorator.js';

/** Job statuses of API v4; the last six never occur here. */
const JOB_STATUSES = [
  'created',
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'waiting_for_resource',
  'preparing',
  'canceling',
  'manual',
  'scheduled',
] as const;
type JobScope = (typeof JOB_STATUSES)[number];

/** Statuses that a job here can have. */
export type JobStatus = 'created' | 'pending' | 'running' | 'success' | 'failed' | 'canceled';

/** GET /projects/:id/jobs */
export class ListJobsDto extends ListByIdDto {
  /** Only jobs with one of these statuses. */
  @ListParam({ values: JOB_STATUSES, commaSeparated: true })
  scope?: JobScope[];
}
