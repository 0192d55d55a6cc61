import { TextParam } from '../../../core/params/params.decorator.js';

const STATES = ['active', 'closed', 'all'] as const;

/** Filters of the list of milestones, as its addresses have them. */
export class MilestonesQuery {
  @TextParam({ values: STATES })
  state?: (typeof STATES)[number] | null;

  @TextParam()
  search?: string | null;
}
