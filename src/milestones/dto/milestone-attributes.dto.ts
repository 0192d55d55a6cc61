import { DateParam, TextParam } from '../../core/params/params.decorator.js';

/** What can be given both at creation and later. */
export class MilestoneAttributesDto {
  /** Markdown of at most 1,048,576 characters; empty clears it. */
  @TextParam()
  description?: string | null;

  /** The day the work begins; empty clears it. */
  @DateParam()
  start_date?: string | null;

  /** The day it is to be done, not before the start; empty clears it. */
  @DateParam()
  due_date?: string | null;
}
