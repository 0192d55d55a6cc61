import {
  IntegerParam,
  TextParam,
  BooleanParam,
  HashListParam,
  DateTimeParam,
} from '../../core/params/params.decorator.js';
import { TreePathParam } from '../../git/tree-path.decorator.js';

const LINE_TYPES = ['new', 'old'] as const;

/** POST of a comment on a commit. */
export class CommitCommentDto {
  /** Markdown of at most 1,000,000 characters. */
  @TextParam({ required: true })
  note: string;

  /** File of the commented line. */
  @TextParam({ maxLength: 4096 })
  path?: string | null;

  /** Number of the commented line; required with `path`. */
  @IntegerParam({ min: 1 })
  line?: number | null;

  /** Counts the line in the new or the old version of the file; `new` by default. */
  @TextParam({ values: LINE_TYPES })
  line_type?: (typeof LINE_TYPES)[number] | null;
}

const COMMIT_ACTIONS = ['create', 'update', 'move', 'delete', 'chmod'] as const;
export type CommitAction = (typeof COMMIT_ACTIONS)[number];

export const ENCODINGS = ['text', 'base64'] as const;
export type Encoding = (typeof ENCODINGS)[number];

const MAX_ACTIONS = 1000;

/** Action on one file; the action decides which other keys are required. */
export class CommitActionDto {
  /** Action on the file. */
  @TextParam({ required: true, values: COMMIT_ACTIONS })
  action: CommitAction;

  /** Path of the file; for a move, the new one. */
  @TreePathParam({ required: true })
  file_path: string;

  /** Previous path of a moved file. */
  @TreePathParam()
  previous_path?: string | null;

  /** New content of the file; required by `update`. A `move` without it keeps the content. */
  @TextParam()
  content?: string | null;

  /** Encoding of `content`; `text` by default. */
  @TextParam({ values: ENCODINGS })
  encoding?: Encoding | null;

  /** Last known commit of the file: rejected if the file has changed since. */
  @TextParam()
  last_commit_id?: string | null;

  /** Makes the file executable; required by `chmod`. */
  @BooleanParam()
  execute_filemode?: boolean | null;
}

/** Whose commit it is. */
export class CommitAuthorDto {
  /** The viewer's by default. */
  @TextParam({ maxLength: 255 })
  author_name?: string | null;

  /** The viewer's by default. */
  @TextParam({ maxLength: 255 })
  author_email?: string | null;
}

/** POST of a commit. */
export class CreateCommitDto extends CommitAuthorDto {
  /** Branch to commit to; created from `start_branch` or `start_sha` if it does not exist. */
  @TextParam({ required: true, allowEmpty: false })
  branch: string;

  /** Commit message. */
  @TextParam({ required: true, allowEmpty: false })
  commit_message: string;

  /** Start of a new branch. */
  @TextParam({ allowEmpty: false })
  start_branch?: string | null;

  /** Full ID of the commit that a new branch starts at. */
  @TextParam({ allowEmpty: false })
  start_sha?: string | null;

  /** File changes of the commit, applied in this order; at most 1,000. */
  @HashListParam(() => CommitActionDto, { required: true, maxItems: MAX_ACTIONS })
  actions: CommitActionDto[];

  /** Resets an existing branch to `start_branch` or `start_sha`. */
  @BooleanParam()
  force?: boolean | null;

  /** False: omits the counts of changed lines. */
  @BooleanParam()
  stats?: boolean | null;
}

/** Which commits a list holds. */
export class ListCommitsDto {
  /** Branch, tag or commit to start at; the default branch by default. */
  @TextParam()
  ref_name?: string | null;

  /** Only commits at or after this time. */
  @DateTimeParam()
  since?: Date | null;

  /** Only commits at or before this time. */
  @DateTimeParam()
  until?: Date | null;

  /** Only commits that change this file or folder. */
  @TextParam({ maxLength: 4096 })
  path?: string | null;

  /** Text in the author's name or email. */
  @TextParam({ maxLength: 255 })
  author?: string | null;

  /** Lists the commits of all branches and tags; ignores `ref_name`. */
  @BooleanParam()
  all?: boolean | null;

  /** Counts the changed lines of each commit. */
  @BooleanParam()
  with_stats?: boolean | null;

  /** Follows only the first parent of merges. */
  @BooleanParam()
  first_parent?: boolean | null;

  /** `topo` keeps the lines of development together; by time by default. */
  @TextParam({ values: ['default', 'topo'] })
  order?: 'default' | 'topo' | null;
}

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
