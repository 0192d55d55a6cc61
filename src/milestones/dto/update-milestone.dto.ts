import { TextParam } from '../../core/params/params.decorator.js';
import { MilestoneAttributesDto } from './milestone-attributes.dto.js';

/** Parameters of which a PUT of a milestone needs at least one. */
export const UPDATABLE_ATTRIBUTES = [
  'description',
  'due_date',
  'start_date',
  'state_event',
  'title',
] as const;

const STATE_EVENTS = ['close', 'activate'] as const;

/** PUT of a milestone: at least one of these. */
export class UpdateMilestoneDto extends MilestoneAttributesDto {
  /** Unlike those of the project's others; at most 255 characters. */
  @TextParam()
  title?: string | null;

  /** What to do with the state; closing a closed milestone changes nothing. */
  @TextParam({ values: STATE_EVENTS })
  state_event?: (typeof STATE_EVENTS)[number] | null;
}
