import { escapeHtml } from '../../core/ui/escape-html.js';
import { textColor } from './label-colors.js';
import type { LabelCounts, LabelRow } from './labels.repository.js';

/** Label as issues and merge requests show it. */
export interface LabelDetailsResponse {
  id: number;
  /** @example bug */
  name: string;
  description: string | null;
  description_html: string | null;
  /**
   * Color of the text on the label.
   * @example "#FFFFFF"
   */
  text_color: string;
  /** @example "#d9534f" */
  color: string;
}

/** Label of a group. */
export interface GroupLabelResponse extends LabelDetailsResponse {
  /** With `with_counts` only. */
  open_issues_count?: number;
  closed_issues_count?: number;
  open_merge_requests_count?: number;
  /** True if the viewer is notified of issues and merge requests that get the label. */
  subscribed: boolean;
}

/** Label of a project, or of a group above it. */
export interface LabelResponse extends GroupLabelResponse {
  /** The smallest number is the most important one. */
  priority: number | null;
  /** False for a label of a group. */
  is_project_label: boolean;
}

/** Returns a label as issues and merge requests show it. */
export function presentLabelDetails(row: LabelRow): LabelDetailsResponse {
  const { id, name, description, color } = row;
  return {
    id,
    name,
    description,
    description_html: description === null ? null : escapeHtml(description),
    text_color: textColor(color),
    color,
  };
}

/** Returns the labels of the names in a project. */
export type FindLabels = (projectId: number, names: readonly string[]) => LabelRow[];

/** Returns an issue or merge request with its labels in full; unchanged without `find`. */
export function withLabelDetails<T extends { labels: (string | LabelDetailsResponse)[] }>(
  response: T,
  { projectId, labels }: { projectId: number; labels: readonly string[] },
  find: FindLabels | null,
): T {
  if (find === null) return response;
  return { ...response, labels: find(projectId, labels).map(presentLabelDetails) };
}

/** Attributes of a label that are not columns of its row. */
interface LabelExtras {
  /** True if the viewer is subscribed to the label. */
  subscribed: boolean;
  /** Only if the request asks for them. */
  counts?: LabelCounts | undefined;
}

/** Returns a label of a group. */
export function presentGroupLabel(
  row: LabelRow,
  { subscribed, counts }: LabelExtras,
): GroupLabelResponse {
  return {
    ...presentLabelDetails(row),
    ...(counts && {
      open_issues_count: counts.openIssues,
      closed_issues_count: counts.closedIssues,
      open_merge_requests_count: counts.openMergeRequests,
    }),
    subscribed,
  };
}

/** Returns a label of a project or of a group above it. */
export function presentLabel(row: LabelRow, extras: LabelExtras): LabelResponse {
  const { priority, projectId } = row;
  return { ...presentGroupLabel(row, extras), priority, is_project_label: projectId !== null };
}
