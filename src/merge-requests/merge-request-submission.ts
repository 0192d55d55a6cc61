import { VISIBILITY } from '../members/visibility.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { Submission } from '../spam/submission.js';
import type { MergeRequest } from './merge-request.entity.js';

/** The texts of a merge request. */
export type MergeRequestTexts = Pick<MergeRequest, 'title'> &
  Partial<Pick<MergeRequest, 'description'>>;

/** A merge request as the spam check sees it; null when only members of the project see it. */
export function mergeRequestSubmission(
  { title, description }: MergeRequestTexts,
  project: Pick<ProjectRow, 'visibility'>,
): Submission | null {
  if (project.visibility === VISIBILITY.private) return null;
  return { kind: 'merge_request', title, prose: description ?? '', files: [] };
}
