import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

/** Options of a commit. */
export class ShowCommitDto {
  /** False: omits the counts of changed lines. */
  @BooleanParam()
  stats?: boolean | null;
}

/** Options of a commit's diff. */
export class ShowDiffDto {
  /** Includes the lines `---` and `+++` before each file's hunks. */
  @BooleanParam()
  unidiff?: boolean | null;
}

/** Which refs that contain a commit are listed. */
export class ListCommitRefsDto {
  /** `all` by default. */
  @TextParam({ values: ['branch', 'tag', 'all'] })
  type?: 'branch' | 'tag' | 'all' | null;
}
