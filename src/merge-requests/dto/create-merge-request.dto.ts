import {
  BooleanParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../../core/params/params.decorator.js';

/** POST of a merge request. */
export class CreateMergeRequestDto {
  /** Branch that is to be merged. */
  @TextParam({ required: true, allowEmpty: false })
  source_branch: string;

  /** Branch to merge into. */
  @TextParam({ required: true, allowEmpty: false })
  target_branch: string;

  /** At most 255 characters; `Draft:` in front keeps it from being merged. */
  @TextParam({ required: true, allowEmpty: false })
  title: string;

  /** Markdown of at most 1,048,576 characters. */
  @TextParam()
  description?: string | null;

  /** The project of the target branch: there are no forks, so it can only be the same one. */
  @IntegerParam()
  target_project_id?: number | null;

  /** Who is to work on it; people who cannot read it are left out. */
  @ListParam({ of: 'integer', commaSeparated: true })
  assignee_ids?: number[] | null;

  /** Older form of `assignee_ids` for one person. */
  @IntegerParam()
  assignee_id?: number | null;

  /** Who is to review it; people who cannot read it are left out. */
  @ListParam({ of: 'integer', commaSeparated: true })
  reviewer_ids?: number[] | null;

  /** Names of at most 255 characters each. */
  @ListParam({ commaSeparated: true })
  labels?: string[] | null;

  /** Id of a milestone of the project; others are left out. */
  @IntegerParam()
  milestone_id?: number | null;

  /** Whether the source branch goes when it is merged. */
  @BooleanParam()
  remove_source_branch?: boolean | null;

  /** Accepted and without effect: commits are never squashed. */
  @BooleanParam()
  squash?: boolean | null;
}
