import { Injectable } from '@nestjs/common';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import {
  type BranchRecord,
  findBranch,
  listBranches,
  mergedBranches,
} from '../../git/reading/branches.js';
import type { OpenRepository } from '../../git/reading/repository-reader.service.js';
import { resolveRevision } from '../../git/reading/revisions.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { ShownBranch } from './branch.presenter.js';
import type { ListBranchesDto } from './ref.dto.js';
import { pageOf } from './list-pages.js';
import { orNotFound, ProjectRepository } from './project-repository.service.js';

/** Finds branches and whether they are merged. */
@Injectable()
export class BranchesFinder {
  constructor(private readonly repositories: ProjectRepository) {}

  /** A page of a project's branches. */
  list(
    project: ProjectRow,
    { search, sort }: ListBranchesDto,
    { offset, perPage: limit }: Paging,
  ): Promise<Page<ShownBranch>> {
    const order = sort === 'updated_asc' || sort === 'updated_desc' ? sort : 'name';
    return this.repositories.read(project, async (repository) => {
      const selection = { search: search ?? undefined, sort: order, offset, limit } as const;
      const { branches, total } = await listBranches(repository, selection);
      return pageOf(await withMergeState(repository, branches), offset, total);
    });
  }

  /** A branch by its exact name; 404 `Branch`. */
  find(project: ProjectRow, name: string): Promise<ShownBranch> {
    return this.repositories.read(project, async (repository) => {
      const branch = orNotFound(await findBranch(repository, name), 'Branch');
      const [shown] = await withMergeState(repository, [branch]);
      return orNotFound(shown ?? null, 'Branch');
    });
  }
}

/** A branch that is where the default branch is has nothing that could have been merged. */
async function withMergeState(
  repository: OpenRepository,
  branches: readonly BranchRecord[],
): Promise<ShownBranch[]> {
  const root = await resolveRevision(repository, 'HEAD');
  if (root === null) return branches.map((branch) => ({ ...branch, isMerged: false }));
  const others = branches.filter(({ commit }) => commit.id !== root.oid);
  const names = others.map(({ name }) => name);
  const merged = await mergedBranches(repository, names, root.oid);
  return branches.map((branch) => ({ ...branch, isMerged: merged.has(branch.name) }));
}
