import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { InvalidParamsError } from '../../core/errors.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { listTree, type TreeEntry } from '../../git/reading/contents.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { type CommitResponse, compareUrl, presentCommit } from './commit.response.js';
import { type Comparison, CommitsService } from './commits.service.js';
import { type DiffResponse, presentDiff } from './diff.response.js';
import { ListTreeDto } from './file.dto.js';
import { orNotFound, pageOf, ProjectRepository, revisionOf } from './project-repository.service.js';
import { CompareDto, MergeBaseDto } from './ref.dto.js';

/** Commits and changes that one revision has and another one lacks. */
interface ComparisonResponse {
  /** The newest of the commits. */
  commit: CommitResponse | null;
  /** Oldest first; at most the newest 1,000. */
  commits: CommitResponse[];
  diffs: DiffResponse[];
  /** True if the diff is truncated. */
  compare_timeout: boolean;
  compare_same_ref: boolean;
  web_url: string;
}

/** Returns the comparison in the requested form. */
function presentComparison(
  comparison: Comparison,
  { project, unidiff }: { project: ProjectRow; unidiff: boolean },
  presentation: ResponseContext,
): ComparisonResponse {
  const { from, to, diff } = comparison;
  const commits = comparison.commits.map((one) => presentCommit(one, project, presentation));
  return {
    commit: commits.at(-1) ?? null,
    commits,
    diffs: diff.files.map((file) => presentDiff(file, unidiff)),
    compare_timeout: diff.isOverflowing,
    compare_same_ref: comparison.isSame,
    web_url: compareUrl(project, { from, to }, presentation),
  };
}

/** Entry of a folder. */
interface TreeEntryResponse {
  /** @example "4b825dc642cb6eb9a060e54bf8d69288fbee4904" */
  id: string;
  /** @example "README.md" */
  name: string;
  /** `commit` is a submodule. */
  type: 'tree' | 'blob' | 'commit';
  /** Path from the root of the repository. */
  path: string;
  /** @example "100644" */
  mode: string;
}

/** The folders of a project's repository, and comparisons of its revisions. */
@Controller('projects/:id/repository')
@Scopes()
@ApiErrors(503)
@ProjectAbility('read_code')
export class RepositoryController {
  constructor(
    private readonly repositories: ProjectRepository,
    private readonly commits: CommitsService,
  ) {}

  /**
   * Lists the entries of a folder, folders first. Returns 400 for a tree that is too large to list.
   */
  @Get('tree')
  async tree(
    @CurrentProject() project: ProjectRow,
    @Input() dto: ListTreeDto,
    @Pages() paging: Paging,
  ): Promise<TreeEntryResponse[]> {
    const entries = await this.readTree(project, dto);
    const { offset, perPage } = paging;
    if (dto.pagination !== 'keyset') {
      return paging.write(pageOf(entries.slice(offset, offset + perPage), offset, entries.length));
    }
    const start = positionAfter(entries, dto.page_token);
    const shown = entries.slice(start, start + perPage);
    const last = shown.at(-1);
    return paging.writeKeyset(shown, last === undefined ? null : { page_token: tokenOf(last) });
  }

  /** Shows the commits and changes that one revision has over another one. */
  @Get('compare')
  async compare(
    @CurrentProject() project: ProjectRow,
    @Input() dto: CompareDto,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<ComparisonResponse> {
    const comparison = await this.commits.compare(project, dto);
    const options = { project, unidiff: dto.unidiff === true };
    return presentComparison(comparison, options, presentation);
  }

  /** Shows the merge base of revisions. */
  @Get('merge_base')
  async mergeBase(
    @CurrentProject() project: ProjectRow,
    @Input() { refs }: MergeBaseDto,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<CommitResponse> {
    const commit = await this.commits.mergeBase(project, refs);
    return presentCommit(commit, project, presentation);
  }

  private readTree(project: ProjectRow, dto: ListTreeDto): Promise<TreeEntry[]> {
    return this.repositories.read(project, async (repository) => {
      const { oid } = await revisionOf(repository, dto.ref, 'Tree');
      const options = { path: dto.path ?? '', recursive: dto.recursive === true };
      return orNotFound(await listTree(repository, oid, options), 'Tree');
    });
  }
}

/** The position of an entry must not depend on the entries before it: they can be pushed away. */
function tokenOf({ path }: TreeEntry): string {
  return Buffer.from(path).toString('base64url');
}

function positionAfter(entries: readonly TreeEntry[], token: string | null | undefined): number {
  if (!token) return 0;
  const at = entries.findIndex((entry) => tokenOf(entry) === token);
  if (at === -1) throw new InvalidParamsError(['page_token is invalid']);
  return at + 1;
}
