import type { JoinedMilestone, MilestoneRow } from './milestones.repository.js';
import type { MilestoneState } from './milestone.entity.js';

/** Milestone of a project. */
export interface MilestoneResponse {
  id: number;
  /**
   * Number within the project.
   * @example 3
   */
  iid: number;
  project_id: number;
  /** @example "10.0" */
  title: string;
  /** Markdown. */
  description: string | null;
  state: MilestoneState;
  /** @format date-time */
  created_at: string;
  /** @format date-time */
  updated_at: string;
  /**
   * @format date
   * @example "2026-03-31"
   */
  due_date: string | null;
  /**
   * @format date
   * @example "2026-03-01"
   */
  start_date: string | null;
  /** True if the due date has passed (UTC). */
  expired: boolean;
  /** @example https://guildhall.example.com/tools/lathe/-/milestones/3 */
  web_url: string;
}

/** Returns a milestone of the project with that full path, also for issues and merge requests. */
export function presentMilestone(
  row: MilestoneRow | JoinedMilestone,
  { baseUrl, projectFullPath }: { baseUrl: string; projectFullPath: string },
): MilestoneResponse {
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.projectId,
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: new Date(row.createdAt).toISOString(),
    updated_at: new Date(row.updatedAt).toISOString(),
    due_date: row.dueDate,
    start_date: row.startDate,
    expired: row.expired,
    web_url: `${baseUrl}/${projectFullPath}/-/milestones/${row.iid}`,
  };
}
