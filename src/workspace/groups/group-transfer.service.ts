import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import {
  AuditLog,
  type AuditActor,
  type AuditEntry,
  changesBetween,
} from '../../core/audit/audit.service.js';
import { avatarUrl } from '../../core/avatars/avatar.js';
import { ApiError, NotFoundError } from '../../core/errors.js';
import { ROLES } from '../../identity/members/roles.js';
import { VISIBILITY, visibilityName } from '../../identity/members/visibility.js';
import { GroupsService } from './groups.service.js';
import { GroupsRepository, type GroupRow, type LoweredRow } from './groups.repository.js';
import {
  isNamespaceTaken,
  NamespacesRepository,
  type LockedNamespace,
} from '../../identity/users/namespaces.repository.js';
import { MAX_DEPTH } from './group-rules.js';
import type { GroupsQuery } from './sql/group-list.js';

/** Group to which a project or group can be transferred. */
export interface TransferLocationResponse {
  id: number;
  /** @example "https://guildhall.example.com/groups/tools/builders" */
  web_url: string;
  name: string;
  avatar_url: string | null;
  /** @example "Tools / Builders" */
  full_name: string;
  /** @example "tools/builders" */
  full_path: string;
}

interface Transferred {
  kind: 'project' | 'group';
  /** ID of the group; of a project that of its namespace. */
  groupId: number;
  /** ID of the group above a group. */
  parentId?: number | null;
}

/**
 * Returns the query of the groups to which the viewer can transfer a project (Developer) or a group
 * (Owner); any for administrators. The current location and the group's own subgroups are left out.
 */
export function transferLocations(
  { kind, groupId, parentId }: Transferred,
  viewer: Viewer | null,
  search?: string | null,
): GroupsQuery {
  const level = kind === 'project' ? ROLES.developer : ROLES.owner;
  const current = kind === 'project' ? groupId : parentId;
  const filters = {
    search: search ?? null,
    min_access_level: viewer?.admin === true ? null : level,
    skip_groups: current == null ? [] : [current],
  };
  return { filters, viewer, ...(kind === 'group' && { outsideId: groupId }) };
}

/** A group as v4 shows it where something can be transferred to. */
export function presentTransferLocation(
  group: GroupRow,
  baseUrl: string,
): TransferLocationResponse {
  return {
    id: group.id,
    web_url: `${baseUrl}/groups/${group.fullPath}`,
    name: group.name,
    avatar_url: avatarUrl('group', group, baseUrl),
    full_name: group.fullName,
    full_path: group.fullPath,
  };
}

const SAME_PATH = 'The parent group already has a subgroup or a project with the same path.';

/** Puts groups under another parent; ids, and so every repository on disk, stay. */
@Injectable()
export class GroupTransferService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly service: GroupsService,
    private readonly groups: GroupsRepository,
    private readonly namespaces: NamespacesRepository,
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
    await this.service.assertMayAddTo(parentId, who.viewer);
    try {
      await this.dataSource.transaction(async (manager) => {
        await this.namespaces.lockTreeToReshape(manager);
        const locked = await this.namespaces.lock(manager, group.id);
        const parent = parentId === null ? null : await this.namespaces.lock(manager, parentId);
        if (locked === null || (parentId !== null && parent === null)) {
          throw new NotFoundError('Group');
        }
        await this.assertFits(manager, locked, parent);
        const { path, name } = locked;
        await this.namespaces.moveGroup(manager, locked, { parent, path, name });
        const most = parent?.visibility ?? VISIBILITY.public;
        const lowered = await this.lowerVisibility(manager, group.id, most);
        await this.audit.recordAll(manager, who.actor, lowered);
        await this.audit.record(manager, who.actor, {
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

  private async assertFits(
    manager: EntityManager,
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
    if (await this.namespaces.isPathTaken(manager, parent.id, locked.path)) {
      throw failure(SAME_PATH);
    }
    const depth = parent.traversalIds.length + (await this.namespaces.countLevels(manager, locked));
    if (depth > MAX_DEPTH) throw failure('The group would be nested too deeply.');
  }

  /** Makes nothing in the group more visible than `most`; returns audit entries of what is below. */
  private async lowerVisibility(
    manager: EntityManager,
    groupId: number,
    most: number,
  ): Promise<AuditEntry[]> {
    const { groups, projects } = await this.groups.lowerVisibility(manager, groupId, most);
    const below = groups.filter(({ id }) => id !== groupId);
    return [
      ...below.map((row) => loweredEntry('Group', 'group_updated', { row, most })),
      ...projects.map((row) => loweredEntry('Project', 'project_updated', { row, most })),
    ];
  }
}

function loweredEntry(
  targetType: 'Group' | 'Project',
  action: string,
  { row, most }: { row: LoweredRow; most: number },
): AuditEntry {
  const visibility = { from: visibilityName(row.before), to: visibilityName(most) };
  return { action, targetType, targetId: row.id, details: { visibility } };
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
