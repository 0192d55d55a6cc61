import { DateTimeParam, ListParam, TextParam } from '../../core/params/params.decorator.js';

/** Filters of milestones. */
export class ListMilestonesDto {
  /** Only milestones with these numbers in the project. */
  @ListParam({ of: 'integer', commaSeparated: true })
  iids?: number[] | null;

  /** Only milestones in this state. */
  @TextParam({ values: ['active', 'closed', 'all'] })
  state?: 'active' | 'closed' | 'all' | null;

  /** The milestone with exactly this title. */
  @TextParam()
  title?: string | null;

  /** Text to find in title or description. */
  @TextParam()
  search?: string | null;

  /** Only milestones changed at or after this time. */
  @DateTimeParam()
  updated_after?: Date | null;

  /** Only milestones changed at or before this time. */
  @DateTimeParam()
  updated_before?: Date | null;
}
