import { BooleanParam, DateTimeParam, TextParam } from '../../core/params/params.decorator.js';

/** Which commits a list holds. */
export class ListCommitsDto {
  /** Branch, tag or commit to begin at; the default branch unless given. */
  @TextParam()
  ref_name?: string | null;

  /** Only commits of then or later. */
  @DateTimeParam()
  since?: Date | null;

  /** Only commits of then or earlier. */
  @DateTimeParam()
  until?: Date | null;

  /** Only commits that change this file or folder. */
  @TextParam({ maxLength: 4096 })
  path?: string | null;

  /** Text in the author's name or address. */
  @TextParam({ maxLength: 255 })
  author?: string | null;

  /** Lists the commits of all branches and tags; ignores `ref_name`. */
  @BooleanParam()
  all?: boolean | null;

  /** Counts the changed lines of each commit. */
  @BooleanParam()
  with_stats?: boolean | null;

  /** Follows the first parent of merges only. */
  @BooleanParam()
  first_parent?: boolean | null;

  /** `topo` keeps the lines of development together; by time unless given. */
  @TextParam({ values: ['default', 'topo'] })
  order?: 'default' | 'topo' | null;
}
