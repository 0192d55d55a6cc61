import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/auth-context.js';
import { Clock } from '../../core/clock.js';
import { ApiError, NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import type { Preconditions } from '../../core/preconditions.js';
import { branchTips } from '../../git/reference-reader.js';
import { FILE_MODE } from '../../git/git-commit.js';
import { ObjectWriter } from '../../git/git-objects.js';
import type { RefCommand } from '../../git/reference-updates.js';
import { ObjectReader } from '../../git/object-reader.js';
import {
  type BranchRecord,
  findBranch,
  listBranches,
  mergedBranches,
} from '../../git/reading/references.js';
import { readGit } from '../../git/reading/read-git.js';
import type { OpenRepository } from '../../git/reading/repository-reader.service.js';
import { resolveRevision } from '../../git/reading/revisions.js';
import { BRANCH_PREFIX, isValidBranchName } from '../../git/reference-name.js';
import { TreeEdit } from '../../git/tree-edit.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { CodeRepository } from './code.repository.js';
import { orNotFound, pageOf, ProjectRepository } from './project-repository.service.js';
import {
  type CodeChange,
  type OpenChange,
  ProjectRepositoryWriter,
} from './project-repository-writer.service.js';
import type { ListBranchesDto } from './ref.dto.js';

/** A branch and whether the default branch has all of it. */
export interface ShownBranch extends BranchRecord {
  isMerged: boolean;
}

/** Lists, creates and deletes branches. */
@Injectable()
export class BranchesService {
  constructor(
    private readonly repositories: ProjectRepository,
    private readonly writer: ProjectRepositoryWriter,
    private readonly code: CodeRepository,
    private readonly clock: Clock,
  ) {}

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

  /**
   * Creates a branch. In an empty repository, the default branch first receives an empty
   * `README.md`, as in v4. Throws 400 with the messages of v4, and as `ProjectRepositoryWriter.write`.
   */
  async create(change: CodeChange, name: string, ref: string): Promise<void> {
    if (!isValidBranchName(name)) throw refusal('Branch name is invalid');
    await this.writer.write(change, async (open) => {
      const { protectedBranch } = open.rights;
      const isDefault = protectedBranch !== null && [protectedBranch, 'HEAD'].includes(ref);
      if (isDefault && (await open.hasNoBranches())) {
        const newOid = await this.addFirstCommit(open.path, change.viewer);
        const names = new Set([protectedBranch, name]);
        return open.move(
          ...[...names].map((each) => ({ ref: BRANCH_PREFIX + each, oldOid: NONE, newOid })),
        );
      }
      if ((await branchTips(open.path, [name])).has(name)) throw refusal('Branch already exists');
      const start = await resolveRevision(open, ref);
      if (start === null) throw refusal(`Invalid reference name: ${ref}`);
      return open.move({ ref: BRANCH_PREFIX + name, oldOid: NONE, newOid: start.oid });
    });
  }

  private async addFirstCommit(path: string, { name, email }: Viewer): Promise<string> {
    const writer = new ObjectWriter(path);
    const tree = new TreeEdit(new ObjectReader(path), null);
    await tree.put('README.md', { mode: FILE_MODE, oid: writer.add('blob', Buffer.alloc(0)) });
    const oid = writer.addCommit({
      tree: await tree.write(writer),
      parents: [],
      author: { name, email, date: this.clock.now() },
      message: 'Add README.md',
    });
    await writer.flush();
    return oid;
  }

  /** Throws 404, 403 for the default branch, 412 when it was committed to since. */
  async delete(change: CodeChange, name: string, preconditions: Preconditions): Promise<void> {
    await this.writer.write(change, async (open) => {
      const branch = await findBranch(open, name);
      if (branch === null) throw new NotFoundError('Branch');
      const { id: oldOid, committedDate } = branch.commit;
      const command = { ref: BRANCH_PREFIX + name, oldOid, newOid: NONE };
      await open.assertAllowed(command);
      preconditions.check(committedDate);
      return open.move(command);
    });
  }

  /**
   * Deletes the branches whose commits are all in the default branch, but for it, for those that
   * are where it is, and for those of open merge requests.
   */
  async deleteMerged(change: CodeChange): Promise<void> {
    await this.writer.write(change, async (open) => {
      const inUse = await this.code.listBranchesInUse(change.project.id);
      const kept = new Set(inUse.map((name) => BRANCH_PREFIX + name));
      const merged = await mergedInto(open, open.rights.protectedBranch);
      return open.move(...merged.filter(({ ref }) => !kept.has(ref)));
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

const NONE = '0'.repeat(40);

async function mergedInto(open: OpenChange, branch: string | null): Promise<RefCommand[]> {
  if (branch === null) return [];
  const into = (await branchTips(open.path, [branch])).get(branch);
  if (into === undefined) return [];
  const format = '--format=%(objectname) %(refname)';
  const output = await readGit(open, ['for-each-ref', `--merged=${into}`, format, BRANCH_PREFIX]);
  const lines = output.split('\n').filter((line) => line !== '' && !line.startsWith(into));
  return lines.map((line) => {
    const space = line.indexOf(' ');
    return { ref: line.slice(space + 1), oldOid: line.slice(0, space), newOid: NONE };
  });
}

function refusal(message: string): ApiError {
  return new ApiError(400, { message });
}
