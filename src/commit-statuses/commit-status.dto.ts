import { COMMIT_STATES, type CommitState } from '../code/commit-states.js';
import {
  BooleanParam,
  IntegerParam,
  NumberParam,
  TextParam,
} from '../core/params/params.decorator.js';

/** Which statuses of a commit a list holds. */
export class ListCommitStatusesDto {
  /** Only those of this branch or tag. */
  @TextParam({ maxLength: 255 })
  ref?: string | null;

  /** Accepted and without effect: what is reported from outside has no stages. */
  @TextParam({ maxLength: 255 })
  stage?: string | null;

  /** Only those of this name. */
  @TextParam({ maxLength: 255 })
  name?: string | null;

  /** Also those that later ones of the same name have replaced. */
  @BooleanParam()
  all?: boolean | null;

  /** Only those of this pipeline. */
  @IntegerParam({ min: 1 })
  pipeline_id?: number | null;

  /** `id` unless given. */
  @TextParam({ values: ['id', 'pipeline_id'] })
  order_by?: 'id' | 'pipeline_id' | null;

  /** `asc` unless given. */
  @TextParam({ values: ['asc', 'desc'] })
  sort?: 'asc' | 'desc' | null;
}

/** POST of what outside CI says of a commit. */
export class ReportCommitStatusDto {
  /** State of the status. */
  @TextParam({ required: true, values: COMMIT_STATES })
  state: CommitState;

  /** Branch or tag that was built; a branch that has the commit unless given. */
  @TextParam({ maxLength: 255 })
  ref?: string | null;

  /** Sets the checks of a commit apart; `default` unless given. */
  @TextParam({ maxLength: 255 })
  name?: string | null;

  /** Other name of `name`, which wins. */
  @TextParam({ maxLength: 255 })
  context?: string | null;

  /** Page about it: http or https, at most 255 characters. */
  @TextParam()
  target_url?: string | null;

  /** In a few words, at most 255 characters. */
  @TextParam()
  description?: string | null;

  /** Percent of the lines that tests run through. */
  @NumberParam()
  coverage?: number | null;

  /** Lets the pipeline succeed if this status fails. */
  @BooleanParam()
  allow_failure?: boolean | null;

  /** The pipeline that it belongs to, where the commit has several. */
  @IntegerParam({ min: 1 })
  pipeline_id?: number | null;
}
