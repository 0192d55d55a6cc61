import { BooleanParam, DateTimeParam, TextParam } from '../../core/params/params.decorator.js';

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
