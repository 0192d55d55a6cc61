import { BooleanParam, IntegerParam, TextParam } from '../../core/params/params.decorator.js';

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
