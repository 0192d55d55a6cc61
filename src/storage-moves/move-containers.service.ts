import { createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { NotFoundError } from '../core/errors.js';
import { type MovedResource, movedResourceError } from '../core/pagination/paging.decorator.js';
import { parseIdOrPath, parseIntegerId } from '../core/params/ids.js';
import { GroupsRepository } from '../workspace/groups/groups.repository.js';
import { ProjectsRepository } from '../workspace/projects/projects.repository.js';
import { MOVE_KIND_DESCRIPTIONS, type MoveKind } from './move-kinds.js';
import { StorageMovesRepository } from './storage-moves.repository.js';

/** Container of a moves path. */
export interface ContainerName {
  raw: string;
  /** For redirects from former paths. */
  request: Request;
}

/** The path parameter `id`, not looked up yet: `listOf(@NamedContainer() name: ContainerName)`. */
export const NamedContainer = createParamDecorator(
  (_: unknown, context: ExecutionContext): ContainerName => {
    const request = context.switchToHttp().getRequest<Request>();
    return { raw: String(request.params['id']), request };
  },
);

/** A container; `moved` is set if it was found by a former path. */
interface Found {
  id: number;
  moved: MovedResource | null;
}

/** Finds the container in a path, for administrators; ignores visibility. */
@Injectable()
export class MoveContainersService {
  constructor(
    private readonly moves: StorageMovesRepository,
    private readonly projects: ProjectsRepository,
    private readonly groups: GroupsRepository,
  ) {}

  /**
   * Returns the container's ID. Projects and groups are named by ID or full path, snippets by ID
   * only. Throws NotFoundError, InvalidParamsError for a snippet that is named by a text, and for
   * an old path the error of `movedResourceError`.
   */
  async find(kind: MoveKind, { raw, request }: ContainerName): Promise<number> {
    const found = await this.lookUp(kind, raw);
    if (found === null) throw new NotFoundError(MOVE_KIND_DESCRIPTIONS[kind].noun);
    if (found.moved !== null) throw movedResourceError(request, found.moved);
    return found.id;
  }

  /** The same for pages and the command line, which also accept former paths. */
  async findByName(kind: MoveKind, name: string): Promise<number> {
    const found = await this.lookUp(kind, name);
    if (found === null) throw new NotFoundError(MOVE_KIND_DESCRIPTIONS[kind].noun);
    return found.id;
  }

  private async lookUp(kind: MoveKind, raw: string): Promise<Found | null> {
    if (kind === 'snippet') {
      const id = parseIntegerId(raw, 'id');
      return (await this.moves.snippetExists(id)) ? { id, moved: null } : null;
    }
    const wanted = parseIdOrPath(raw);
    if (kind === 'group') {
      const found = await this.groups.findByIdOrPath(wanted, null);
      return found && foundAs('groups', found.group.id, found.moved);
    }
    const found = await this.projects.findByIdOrPath(wanted, null);
    return found && foundAs('projects', found.project.id, found.moved);
  }
}

function foundAs(collection: MovedResource['collection'], id: number, isMoved: boolean): Found {
  return { id, moved: isMoved ? { collection, id } : null };
}
