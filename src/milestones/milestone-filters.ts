import { InvalidParamsError } from '../core/errors.js';
import type { Conditions } from '../core/sql/conditions.js';

/** Words for milestones by their time, as v4 clients write them. */
export const TIMEBOXES = ['None', 'Any', 'Upcoming', 'Started'] as const;
export type Timebox = (typeof TIMEBOXES)[number];

/** Milestones as lists of what works towards them are asked for. */
interface MilestoneFilter {
  /** A title, or one of the words `None` and `Any`. */
  milestone?: string | null;
  milestone_id?: Timebox | null;
}

const TODAY = `(now() AT TIME ZONE 'UTC')::date`;

/**
 * Adds the filter to a list over a table with the columns `milestone_id` and `project_id`, which
 * the alias names; 400 for a title together with a word.
 */
export function addMilestone(where: Conditions, alias: string, filter: MilestoneFilter): void {
  const { milestone: title, milestone_id: timebox } = filter;
  if (title && timebox) {
    throw new InvalidParamsError(['milestone, milestone_id are mutually exclusive']);
  }
  const word = title?.toLowerCase();
  if (timebox === 'None' || word === 'none') where.and(`${alias}.milestone_id IS NULL`);
  else if (timebox === 'Any' || word === 'any') where.and(`${alias}.milestone_id IS NOT NULL`);
  else if (timebox === 'Upcoming') where.and(active(alias, `m.due_date > ${TODAY}`));
  else if (timebox === 'Started') where.and(active(alias, `m.start_date <= ${TODAY}`));
  else if (title) where.and(exists(alias, `m.title = ${where.value(title)}`));
}

function active(alias: string, condition: string): string {
  return exists(alias, `m.state = 'active' AND ${condition}`);
}

/** The project is named as well, so that a title is found by its index. */
function exists(alias: string, condition: string): string {
  return `EXISTS (SELECT 1 FROM milestones m
    WHERE m.id = ${alias}.milestone_id AND m.project_id = ${alias}.project_id AND ${condition})`;
}
