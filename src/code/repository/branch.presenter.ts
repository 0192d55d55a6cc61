import type { ResponseContext } from '../../core/response-context.js';
import type { BranchRecord } from '../../git/reading/branches.js';
import { canInProject } from '../../identity/members/abilities.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { treeUrl } from './code-addresses.js';
import { presentCommit } from './commit.presenter.js';
import type { CommitResponse } from './commit.response.js';

/** A branch. */
export interface BranchResponse {
  /** @example "main" */
  name: string;
  commit: CommitResponse;
  /** True if the default branch contains all of its commits. */
  merged: boolean;
  /** True for the default branch, which only Maintainers can push to. */
  protected: boolean;
  developers_can_push: boolean;
  developers_can_merge: boolean;
  /** True if the viewer can push to it. */
  can_push: boolean;
  default: boolean;
  web_url: string;
}

/** A branch and whether the default branch has all of it. */
export interface ShownBranch extends BranchRecord {
  isMerged: boolean;
}

/** The branch of a project as the viewer finds it. */
export function presentBranch(
  { name, commit, isMerged }: ShownBranch,
  project: ProjectRow,
  presentation: ResponseContext,
): BranchResponse {
  const isDefault = name === project.defaultBranch;
  return {
    name,
    commit: presentCommit(commit, project, presentation),
    merged: isMerged,
    protected: isDefault,
    developers_can_push: false,
    developers_can_merge: false,
    can_push: mayPush(project, isDefault, presentation),
    default: isDefault,
    web_url: treeUrl(project, name, presentation),
  };
}

function mayPush(project: ProjectRow, isDefault: boolean, { viewer }: ResponseContext): boolean {
  const { visibility, accessLevel } = project;
  const ability = isDefault ? 'push_protected' : 'push_code';
  return !project.archived && canInProject(ability, { visibility, accessLevel, viewer });
}
