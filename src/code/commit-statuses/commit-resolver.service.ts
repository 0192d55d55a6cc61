import { Injectable } from '@nestjs/common';
import { CodeRepository } from '../repository/code.repository.js';
import {
  orNotFound,
  ProjectRepository,
  revisionOf,
} from '../repository/project-repository.service.js';
import { BRANCH_PREFIX, TAG_PREFIX } from '../../git/reference-name.js';
import { readCommit } from '../../git/reading/commits.js';
import { referencesContaining } from '../../git/reading/reference-names.js';
import type { OpenRepository } from '../../git/reading/repository-reader.service.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';

/** A commit that outside CI names, and where it stands. */
export interface BuiltCommit {
  projectId: number;
  sha: string;
  /** Short name of the branch or tag that the report names; null for none. */
  ref: string | null;
  /** Default branch of reports without a pipeline; empty when no branch has the commit. */
  fallbackRef: string;
}

/** Finds the commits that reports are about. */
@Injectable()
export class CommitResolver {
  constructor(
    private readonly repositories: ProjectRepository,
    private readonly pipelines: CodeRepository,
  ) {}

  /** By id, short id, branch or tag; 404 `Commit`. */
  find(project: ProjectRow, name: string, ref: string | null): Promise<BuiltCommit> {
    const { id: projectId } = project;
    return this.repositories.read(project, async (repository) => {
      const { oid } = await revisionOf(repository, name, 'Commit');
      const { id: sha } = orNotFound(await readCommit(repository, oid), 'Commit');
      if (ref) return { projectId, sha, ref: shortName(ref), fallbackRef: '' };
      const isKnown = (await this.pipelines.findLastPipeline(projectId, sha)) !== null;
      const fallbackRef = isKnown ? '' : await branchWith(repository, sha, project.defaultBranch);
      return { projectId, sha, ref: null, fallbackRef };
    });
  }
}

function shortName(ref: string): string {
  const prefix = [BRANCH_PREFIX, TAG_PREFIX].find((one) => ref.startsWith(one));
  return prefix === undefined ? ref : ref.slice(prefix.length);
}

/** The default branch when it has the commit, else the first by name. */
async function branchWith(
  repository: OpenRepository,
  sha: string,
  defaultBranch: string | null,
): Promise<string> {
  const names = await referencesContaining(repository, BRANCH_PREFIX, sha);
  return names.find((name) => name === defaultBranch) ?? names[0] ?? '';
}
