import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../../core/access/auth-context.js';
import type { Page } from '../../../core/pagination/page.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { formErrors, type FormProblems } from '../../../core/ui/forms.js';
import { ProjectRepository } from '../../repository/project-repository.service.js';
import type { CommitRecord } from '../../../git/reading/commits.js';
import { EMPTY_TREE } from '../../../git/reading/diffs.js';
import { referenceNames } from '../../../git/reading/references.js';
import { BRANCH_PREFIX } from '../../../git/reference-name.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { type Branches, MergeRequestBranches } from '../merge-request-branches.service.js';
import { MergeRequestContents } from '../merge-request-contents.service.js';
import { MergeRequestsRepository } from '../merge-requests.repository.js';

/** Preview of a merge request for two branches. */
export interface BranchPreview {
  /** Newest first. */
  commits: Page<CommitRecord>;
  /** The branches have no commit in common. */
  isUnrelated: boolean;
  /** Number of a merge request that already joins the branches. */
  openIid: number | null;
}

/** Viewer, project and paging of a request. */
export interface Looking {
  project: ProjectRow;
  viewer: Viewer | null;
  paging: Paging;
}

const MAX_COMMITS = 20;

/** Looks at branches before a merge request is opened for them. */
@Injectable()
export class MergePreview {
  constructor(
    private readonly repositories: ProjectRepository,
    private readonly branches: MergeRequestBranches,
    private readonly contents: MergeRequestContents,
    private readonly repository: MergeRequestsRepository,
  ) {}

  /** Names of all branches. */
  names(project: ProjectRow): Promise<string[]> {
    return this.repositories.read(project, (repository) =>
      referenceNames(repository, BRANCH_PREFIX, {}),
    );
  }

  /**
   * Returns the commits that the source branch has and the target branch lacks, or the problems
   * with the branches.
   */
  async of(looking: Looking, branches: Branches): Promise<BranchPreview | FormProblems> {
    const { project, viewer, paging } = looking;
    try {
      const state = await this.branches.look(project.id, branches);
      const window = { offset: 0, perPage: MAX_COMMITS };
      const commits = await this.contents.commits(project, state, window);
      const { source: source_branch, target: target_branch } = branches;
      const open = await this.repository.list(
        viewer,
        { projectId: project.id },
        { filters: { state: 'opened', source_branch, target_branch }, paging: paging.first(1) },
      );
      const openIid = open.items[0]?.iid ?? null;
      return { commits, isUnrelated: state.baseSha === EMPTY_TREE, openIid };
    } catch (error) {
      return formErrors(error);
    }
  }
}
