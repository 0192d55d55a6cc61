import { BooleanParam, TextParam } from '../../core/params/params.decorator.js';

export const STATE_EVENTS = ['close', 'reopen'] as const;
export type StateEvent = (typeof STATE_EVENTS)[number];

/** Parameters of which a PUT of an issue needs at least one. */
export const UPDATABLE_ATTRIBUTES = [
  'confidential',
  'description',
  'state_event',
  'title',
] as const;

/** PUT of an issue: at least one of these. */
export class UpdateIssueDto {
  /** At most 255 characters. */
  @TextParam({ allowEmpty: false })
  title?: string | null;

  /** Markdown of at most 1,048,576 characters; null clears it. */
  @TextParam()
  description?: string | null;

  /** Whether only the author, Reporters and above see the issue; for Reporters and above. */
  @BooleanParam()
  confidential?: boolean | null;

  /** What to do with the state; closing a closed issue changes nothing. */
  @TextParam({ values: STATE_EVENTS })
  state_event?: StateEvent | null;
}
