import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { InvalidParamsError } from '../../core/errors.js';
import { listTree, type TreeEntry } from '../../git/reading/trees.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { ListTreeDto } from './file.dto.js';
import { pageOf } from './list-pages.js';
import { orNotFound, ProjectRepository, revisionOf } from './project-repository.service.js';

/** Entry of a folder. */
export interface TreeEntryResponse {
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

/** The folders of a project. */
@Controller('projects/:id/repository/tree')
@Scopes()
@ApiErrors(503)
@ProjectAbility('read_code')
export class TreeController {
  constructor(private readonly repositories: ProjectRepository) {}

  /** Lists the entries of a folder, folders first. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() dto: ListTreeDto,
    @Pages() paging: Paging,
  ): Promise<TreeEntryResponse[]> {
    const entries = await this.read(project, dto);
    const { offset, perPage } = paging;
    if (dto.pagination !== 'keyset') {
      return paging.write(pageOf(entries.slice(offset, offset + perPage), offset, entries.length));
    }
    const start = positionAfter(entries, dto.page_token);
    const shown = entries.slice(start, start + perPage);
    const last = shown.at(-1);
    return paging.writeKeyset(shown, last === undefined ? null : { page_token: tokenOf(last) });
  }

  private read(project: ProjectRow, dto: ListTreeDto): Promise<TreeEntry[]> {
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
