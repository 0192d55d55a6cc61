import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

/** What of a commit is shown. */
export class ShowCommitDto {
  /** False leaves the changed lines uncounted. */
  @BooleanParam()
  stats?: boolean | null;
}

/** How the changes of a commit are shown. */
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
