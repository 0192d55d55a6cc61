import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import { ForbiddenError, NotFoundError } from '../core/errors.js';
import { Sql } from '../core/sql/sql.service.js';
import { canInGroup } from '../members/abilities.js';
import { GroupLookup } from './group-lookup.service.js';

/** Who may put a group where. */
@Injectable()
export class GroupPermissions {
  constructor(
    private readonly sql: Sql,
    private readonly lookup: GroupLookup,
  ) {}

  /**
   * A subgroup needs an owner of the parent, a top-level group a user who may create groups.
   * Throws 404 for a parent that is not seen, else 403.
   */
  async assertMayAddTo(parentId: number | null, viewer: Viewer): Promise<void> {
    if (parentId === null) return this.assertMayCreateTopLevel(viewer);
    const parent = await this.lookup.byId(parentId, viewer.id);
    if (parent === null) throw new NotFoundError('Group');
    const access = { ...parent, viewer };
    if (!canInGroup('read_group', access)) throw new NotFoundError('Group');
    if (!canInGroup('create_subgroup', access)) throw new ForbiddenError();
  }

  /** Whether the user may create groups that lie in no other. */
  async mayCreateTopLevel(viewer: Viewer): Promise<boolean> {
    if (viewer.admin) return true;
    const user = await this.sql.row<{ allowed: boolean }>(
      'SELECT can_create_group AND NOT external AS allowed FROM users WHERE id = $1',
      [viewer.id],
    );
    return user?.allowed === true;
  }

  private async assertMayCreateTopLevel(viewer: Viewer): Promise<void> {
    if (!(await this.mayCreateTopLevel(viewer))) throw new ForbiddenError();
  }
}
