import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

/** Options of a commit. */
export class ShowCommitDto {
  /** False leaves the changed lines uncounted. */
  @BooleanParam()
  stats?: boolean | null;
}

/** Options of a commit's diff. */
export class ShowDiffDto {
  /** Puts the lines `---` and `+++` in front of each file's hunks. */
  @BooleanParam()
  unidiff?: boolean | null;
}

/** Which refs that contain a commit are listed. */
export class ListCommitRefsDto {
  /** `all` unless given. */
  @TextParam({ values: ['branch', 'tag', 'all'] })
  type?: 'branch' | 'tag' | 'all' | null;
}
