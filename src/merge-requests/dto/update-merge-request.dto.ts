import {
  BooleanParam,
  IntegerParam,
  ListParam,
  TextParam,
} from '../../core/params/params.decorator.js';

export const STATE_EVENTS = ['close', 'reopen'] as const;
export type StateEvent = (typeof STATE_EVENTS)[number];

/** Parameters of which a PUT of a merge request needs at least one. */
export const UPDATABLE_ATTRIBUTES = [
  'add_labels',
  'assignee_id',
  'assignee_ids',
  'description',
  'discussion_locked',
  'labels',
  'milestone_id',
  'remove_labels',
  'remove_source_branch',
  'reviewer_ids',
  'squash',
  'state_event',
  'target_branch',
  'title',
] as const;

/**
 * PUT of a merge request: at least one of these. Authors without a role change texts and state;
 * what they say of the rest is ignored.
 */
export class UpdateMergeRequestDto {
  /** At most 255 characters; `Draft:` in front keeps it from being merged. */
  @TextParam({ allowEmpty: false })
  title?: string | null;

  /** Markdown of at most 1,048,576 characters; null clears it. */
  @TextParam()
  description?: string | null;

  /** Another branch to merge into. */
  @TextParam({ allowEmpty: false })
  target_branch?: string | null;

  /** What to do with the state; closing a closed one changes nothing, nothing reopens merged ones. */
  @TextParam({ values: STATE_EVENTS })
  state_event?: StateEvent | null;

  /** All names that it is to have; empty takes them all away. */
  @ListParam({ commaSeparated: true })
  labels?: string[] | null;

  /** Names that it is to have in addition. */
  @ListParam({ commaSeparated: true })
  add_labels?: string[] | null;

  /** Names that it is to lose. */
  @ListParam({ commaSeparated: true })
  remove_labels?: string[] | null;

  /** Who is to work on it, empty for nobody; people who cannot read it are left out. */
  @ListParam({ of: 'integer', commaSeparated: true })
  assignee_ids?: number[] | null;

  /** Older form of `assignee_ids` for one person; 0 for nobody. */
  @IntegerParam()
  assignee_id?: number | null;

  /** Who is to review it, empty for nobody; people who cannot read it are left out. */
  @ListParam({ of: 'integer', commaSeparated: true })
  reviewer_ids?: number[] | null;

  /** Id of a milestone of the project, 0 for none; others are left out. */
  @IntegerParam()
  milestone_id?: number | null;

  /** Whether the source branch goes when it is merged. */
  @BooleanParam()
  remove_source_branch?: boolean | null;

  /** Whether only members of the project may comment. */
  @BooleanParam()
  discussion_locked?: boolean | null;

  /** Accepted and without effect: commits are never squashed. */
  @BooleanParam()
  squash?: boolean | null;
}
