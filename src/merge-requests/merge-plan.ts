import type { Viewer } from '../core/access/viewer.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { MergeDto } from './merge-request.dto.js';
import type { MergePlan } from './merge-attempt.js';
import { mayPushTo } from './merge-request-access.js';
import type { FoundMergeRequest, MergeRequestRow } from './merge-request-row.js';

/** User, project and time of a merge. */
interface Merging {
  project: ProjectRow;
  viewer: Viewer;
  date: Date;
}

/** Returns the options of a requested merge. */
export function planOf(row: FoundMergeRequest, dto: MergeDto, merging: Merging): MergePlan {
  const { name, email } = merging.viewer;
  const isRemoved = dto.should_remove_source_branch ?? row.removeSourceBranch;
  return {
    row,
    sha: dto.sha ? dto.sha : null,
    author: { name, email, date: merging.date },
    message: messageOf(row, dto),
    removesSource: isRemoved && mayRemoveSource(row, merging),
  };
}

/** Never the default branch, whoever merges. */
function mayRemoveSource(
  { sourceBranch: branch, accessLevel }: FoundMergeRequest,
  { project: { defaultBranch }, viewer }: Merging,
): boolean {
  return branch !== defaultBranch && mayPushTo({ branch, defaultBranch, accessLevel, viewer });
}

function messageOf(row: MergeRequestRow, { merge_commit_message: given }: MergeDto): string {
  if (given && given.trim() !== '') return given.replaceAll('\r\n', '\n');
  const { sourceBranch, targetBranch, title, projectFullPath, iid } = row;
  const subject = `Merge branch '${sourceBranch}' into '${targetBranch}'`;
  return `${subject}\n\n${title}\n\nSee merge request ${projectFullPath}!${iid}\n`;
}
