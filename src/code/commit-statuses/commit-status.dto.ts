import { COMMIT_STATES, type CommitState } from '../repository/commit-states.js';
import {
  BooleanParam,
  IntegerParam,
  NumberParam,
  TextParam,
} from '../../core/params/params.decorator.js';

/** Which statuses of a commit a list holds. */
export class ListCommitStatusesDto {
  /** Only statuses of this branch or tag. */
  @TextParam({ maxLength: 255 })
  ref?: string | null;

  /** Accepted without effect: statuses of external CI have no stages. */
  @TextParam({ maxLength: 255 })
  stage?: string | null;

  /** Only statuses with this name. */
  @TextParam({ maxLength: 255 })
  name?: string | null;

  /** Includes statuses that later ones of the same name replaced. */
  @BooleanParam()
  all?: boolean | null;

  /** Only statuses of this pipeline. */
  @IntegerParam({ min: 1 })
  pipeline_id?: number | null;

  /** `id` by default. */
  @TextParam({ values: ['id', 'pipeline_id'] })
  order_by?: 'id' | 'pipeline_id' | null;

  /** `asc` by default. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}

/** POST of a commit status by external CI. */
export class ReportCommitStatusDto {
  /** State of the status. */
  @TextParam({ required: true, values: COMMIT_STATES })
  state: CommitState;

  /** Built branch or tag; a branch that contains the commit by default. */
  @TextParam({ maxLength: 255 })
  ref?: string | null;

  /** Name that distinguishes the statuses of a commit; `default` by default. */
  @TextParam({ maxLength: 255 })
  name?: string | null;

  /** Alias of `name`, which takes precedence. */
  @TextParam({ maxLength: 255 })
  context?: string | null;

  /** URL of its page: http or https, at most 255 characters. */
  @TextParam()
  target_url?: string | null;

  /** Short description, at most 255 characters. */
  @TextParam()
  description?: string | null;

  /** Test coverage in percent. */
  @NumberParam()
  coverage?: number | null;

  /** Lets the pipeline succeed if this status fails. */
  @BooleanParam()
  allow_failure?: boolean | null;

  /** Pipeline of the status, if the commit has several. */
  @IntegerParam({ min: 1 })
  pipeline_id?: number | null;
}
