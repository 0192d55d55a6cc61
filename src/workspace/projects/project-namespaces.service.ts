import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../../core/errors.js';
import type { Viewer } from '../../core/access/viewer.js';
import type { IdOrPath } from '../../core/params/ids.js';
import {
  VisibleNamespacesRepository,
  type NamespaceAccess,
} from '../groups/visible-namespaces.repository.js';
import { canInGroup } from '../../identity/members/abilities.js';

/** Decides in which namespaces a user can create projects. */
@Injectable()
export class ProjectNamespaces {
  constructor(private readonly namespaces: VisibleNamespacesRepository) {}

  /**
   * Returns the id of the namespace for a new project of the user: the given one, else their own.
   * Throws 400 when there is none or they cannot create projects in it.
   */
  async findForNew(wanted: number | null | undefined, viewer: Viewer): Promise<number> {
    const id = wanted ?? (await this.namespaces.findIdOfUser(viewer.id));
    const usable = id === null ? null : await this.findUsable({ id }, viewer);
    if (usable === null) throw new ValidationFailedError({ namespace: ['is not valid'] });
    return usable;
  }

  /**
   * Returns the id of a namespace in which the user can create projects: their own (not external
   * users), a group as Developer; any for administrators. Returns null for any other.
   */
  async findUsable(wanted: IdOrPath, viewer: Viewer): Promise<number | null> {
    const namespace = await this.namespaces.findAccess(wanted, viewer.id);
    return namespace !== null && mayCreateIn(namespace, viewer) ? namespace.id : null;
  }
}

function mayCreateIn(namespace: NamespaceAccess, viewer: Viewer): boolean {
  if (viewer.admin) return true;
  if (namespace.visibility === null) return namespace.ownerId === viewer.id && !viewer.external;
  const { visibility, accessLevel } = namespace;
  return canInGroup('create_project', { visibility, accessLevel, viewer });
}
