import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import type { Viewer } from '../core/access/viewer.js';
import { changesBetween } from '../core/audit/changes.js';
import { ApiError, NotFoundError } from '../core/errors.js';
import { VISIBILITY, visibilityName } from '../members/visibility.js';
import { GroupPermissions } from './group-permissions.service.js';
import type { GroupRow } from './group-row.js';
import { lowerVisibilityBelow } from './lower-visibility.js';
import {
  isNamespaceTaken,
  isPathTaken,
  lockNamespace,
  MAX_DEPTH,
  placeNamespace,
  type LockedNamespace,
} from './namespace-tree.js';
import { lockTreeToReshape } from '../users/tree-lock.js';

const SAME_PATH = 'The parent group already has a subgroup or a project with the same path.';

/** Puts groups under another parent; ids, and so every repository on disk, stay. */
@Injectable()
export class GroupTransferService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
    private readonly permissions: GroupPermissions,
  ) {}

  /**
   * `parentId` null makes it a top-level group. What is more visible than the new parent is
   * lowered to the parent's visibility. Throws 403, 404, or 400 `Transfer failed: …`.
   */
  async transfer(
    group: GroupRow,
    parentId: number | null,
    who: { viewer: Viewer; actor: AuditActor },
  ): Promise<void> {
    await this.permissions.assertMayAddTo(parentId, who.viewer);
    try {
      await this.dataSource.transaction(async (tx) => {
        await lockTreeToReshape(tx);
        const locked = await lockNamespace(tx, group.id);
        const parent = parentId === null ? null : await lockNamespace(tx, parentId);
        if (locked === null || (parentId !== null && parent === null)) {
          throw new NotFoundError('Group');
        }
        await assertFits(tx, locked, parent);
        await placeNamespace(tx, locked, { parent, path: locked.path, name: locked.name });
        const most = parent?.visibility ?? VISIBILITY.public;
        await this.audit.recordAll(tx, who.actor, await lowerVisibilityBelow(tx, group.id, most));
        await this.audit.record(tx, who.actor, {
          action: 'group_transferred',
          targetType: 'Group',
          targetId: group.id,
          details: transferOf(locked, parent),
        });
      });
    } catch (error) {
      throw isNamespaceTaken(error) ? failure(SAME_PATH) : error;
    }
  }
}

async function assertFits(
  tx: EntityManager,
  locked: LockedNamespace,
  parent: LockedNamespace | null,
): Promise<void> {
  if (parent === null) {
    if (locked.parentId === null) throw failure('Group is already a root group.');
    return;
  }
  if (parent.id === locked.parentId) {
    throw failure('Group is already associated to the parent group.');
  }
  if (parent.traversalIds.includes(locked.id)) {
    throw failure('Cannot transfer group to one of its subgroup.');
  }
  if (await isPathTaken(tx, parent.id, locked.path)) throw failure(SAME_PATH);
  const depth = parent.traversalIds.length + (await heightOf(tx, locked));
  if (depth > MAX_DEPTH) throw failure('The group would be nested too deeply.');
}

/** Groups on the longest way from this one down, itself included. */
async function heightOf(tx: EntityManager, { id, traversalIds }: LockedNamespace): Promise<number> {
  const rows: { deepest: number }[] = await tx.query(
    `SELECT max(cardinality(traversal_ids)) AS deepest FROM namespaces
     WHERE traversal_ids @> ARRAY[$1]::bigint[]`,
    [id],
  );
  return Number(rows[0]?.deepest) - traversalIds.length + 1;
}

function transferOf(
  { path, fullPath, visibility }: LockedNamespace,
  parent: LockedNamespace | null,
): Record<string, unknown> {
  const [before, most] = [visibility ?? 0, parent?.visibility ?? null];
  const after = most === null ? before : Math.min(before, most);
  return changesBetween(
    { full_path: fullPath, visibility: visibilityName(before) },
    {
      full_path: parent === null ? path : `${parent.fullPath}/${path}`,
      visibility: visibilityName(after),
    },
  );
}

function failure(reason: string): ApiError {
  return new ApiError(400, { message: `Transfer failed: ${reason}` });
}
