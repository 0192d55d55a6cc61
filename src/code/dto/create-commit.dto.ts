import { BooleanParam, HashListParam, TextParam } from '../../core/params/params.decorator.js';
import { TreePathParam } from '../../git/tree-path.decorator.js';

export const COMMIT_ACTIONS = ['create', 'update', 'move', 'delete', 'chmod'] as const;
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
