import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/viewer.js';
import { ForbiddenError, NotFoundError } from '../../core/errors.js';
import { canInGroup } from '../../identity/members/abilities.js';
import { UsersRepository } from '../../identity/users/users.repository.js';
import { GroupsRepository } from './groups.repository.js';

/** Decides who can create or move groups in which place. */
@Injectable()
export class GroupPermissions {
  constructor(
    private readonly groups: GroupsRepository,
    private readonly users: UsersRepository,
  ) {}

  /**
   * A subgroup requires an owner of the parent, a top-level group a user who can create groups.
   * Throws 404 for an invisible parent, else 403.
   */
  async assertMayAddTo(parentId: number | null, viewer: Viewer): Promise<void> {
    if (parentId === null) return this.assertMayCreateTopLevel(viewer);
    const parent = await this.groups.findById(parentId, viewer.id);
    if (parent === null) throw new NotFoundError('Group');
    const access = { ...parent, viewer };
    if (!canInGroup('read_group', access)) throw new NotFoundError('Group');
    if (!canInGroup('create_subgroup', access)) throw new ForbiddenError();
  }

  /** Returns true when the user can create top-level groups. */
  async mayCreateTopLevel(viewer: Viewer): Promise<boolean> {
    if (viewer.admin) return true;
    return this.users.isGroupCreator(viewer.id);
  }

  private async assertMayCreateTopLevel(viewer: Viewer): Promise<void> {
    if (!(await this.mayCreateTopLevel(viewer))) throw new ForbiddenError();
  }
}
