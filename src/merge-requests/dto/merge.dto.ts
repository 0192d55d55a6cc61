import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

/** PUT that merges. */
export class MergeDto {
  /** Tip that the source branch must have; otherwise nothing is merged. */
  @TextParam()
  sha?: string | null;

  /** Message of the merge commit. */
  @TextParam({ maxLength: 1_048_576 })
  merge_commit_message?: string | null;

  /** Whether the source branch goes; as the merge request says unless given. */
  @BooleanParam()
  should_remove_source_branch?: boolean | null;

  /** Accepted and without effect: commits are never squashed. */
  @BooleanParam()
  squash?: boolean | null;

  /** Accepted and without effect, as `squash`. */
  @TextParam()
  squash_commit_message?: string | null;

  /** Merges when the pipeline of the head has succeeded; 405 without a pipeline. */
  @BooleanParam()
  auto_merge?: boolean | null;

  /** Older name of `auto_merge`. */
  @BooleanParam()
  merge_when_pipeline_succeeds?: boolean | null;
}

/** Whether the merge is to wait for its pipeline. */
export function wantsToWait({ auto_merge: given, ...older }: MergeDto): boolean {
  return given ?? older.merge_when_pipeline_succeeds ?? false;
}
