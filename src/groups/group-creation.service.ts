import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import type { Viewer } from '../core/access/viewer.js';
import { processAvatar, type AvatarImages } from '../core/avatars/avatar-images.js';
import { storeAvatar } from '../core/avatars/store-avatar.js';
import { NotFoundError, ValidationFailedError } from '../core/errors.js';
import { StorageRegistry } from '../git/storage-registry.js';
import { ROLES } from '../members/roles.js';
import { VISIBILITY, type VisibilityName } from '../members/visibility.js';
import { takeOverPath } from '../users/route-redirects.js';
import { GroupPermissions } from './group-permissions.service.js';
import { namingProblems, TAKEN, visibilityProblem } from './group-rules.js';
import {
  isNamespaceTaken,
  isPathTaken,
  lockNamespace,
  MAX_DEPTH,
  type LockedNamespace,
} from './namespace-tree.js';
import { lockTreeToAdd } from '../users/tree-lock.js';

export interface NewGroup {
  name: string;
  path: string;
  parentId: number | null;
  description: string;
  visibility: VisibilityName;
  requestAccessEnabled: boolean;
  emailsEnabled: boolean;
  /** An uploaded image. */
  avatar?: Buffer | null;
}

/** Creates groups and subgroups; whoever creates one owns it. */
@Injectable()
export class GroupCreationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
    private readonly permissions: GroupPermissions,
    private readonly storages: StorageRegistry,
  ) {}

  /**
   * Returns the new group's ID. Throws 403, 404 for a parent that is not visible, and 400 with
   * messages per attribute.
   */
  async create(input: NewGroup, viewer: Viewer, actor: AuditActor): Promise<number> {
    await this.permissions.assertMayAddTo(input.parentId, viewer);
    const problems = namingProblems(input, input.parentId === null ? 'top' : 'below');
    if (Object.keys(problems).length > 0) throw new ValidationFailedError(problems);
    const images = (await processAvatar(input.avatar)) ?? null;
    try {
      return await this.dataSource.transaction((tx) =>
        this.insert(tx, { ...input, images }, { viewer, actor }),
      );
    } catch (error) {
      throw isNamespaceTaken(error) ? new ValidationFailedError({ path: [TAKEN] }) : error;
    }
  }

  private async insert(
    tx: EntityManager,
    input: NewGroup & { images: AvatarImages | null },
    { viewer, actor }: { viewer: Viewer; actor: AuditActor },
  ): Promise<number> {
    await lockTreeToAdd(tx);
    const parent = await lockParent(tx, input);
    const id = await insertNamespace(tx, input, parent);
    await tx.query(
      `INSERT INTO groups (id, description, visibility, request_access_enabled, emails_enabled,
         repository_storage, avatar)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        id,
        input.description,
        VISIBILITY[input.visibility],
        input.requestAccessEnabled,
        input.emailsEnabled,
        this.drawStorage(),
        input.images?.digest ?? null,
      ],
    );
    await storeAvatar(tx, { kind: 'group', id }, input.images);
    await tx.query(
      'INSERT INTO members (namespace_id, user_id, access_level, created_by_id) VALUES ($1, $2, $3, $2)',
      [id, viewer.id, ROLES.owner],
    );
    const { path, parentId, visibility } = input;
    const details = { path, parent_id: parentId, visibility };
    const entry = { action: 'group_created', targetType: 'Group', targetId: id, details };
    await this.audit.record(tx, actor, entry);
    return id;
  }

  /** Where the group's wiki will be once it is needed. */
  private drawStorage(): string {
    const storage = this.storages.pick();
    if (storage === null) throw new Error('No storage takes new repositories');
    return storage;
  }
}

async function lockParent(tx: EntityManager, input: NewGroup): Promise<LockedNamespace | null> {
  if (input.parentId === null) return null;
  const parent = await lockNamespace(tx, input.parentId);
  if (parent === null) throw new NotFoundError('Group');
  if (parent.traversalIds.length >= MAX_DEPTH) {
    throw new ValidationFailedError({ parent_id: ['has too deep level of nesting'] });
  }
  const problem = visibilityProblem(VISIBILITY[input.visibility], parent.visibility);
  if (problem !== null) throw new ValidationFailedError(problem);
  if (await isPathTaken(tx, parent.id, input.path))
    throw new ValidationFailedError({ path: [TAKEN] });
  return parent;
}

async function insertNamespace(
  tx: EntityManager,
  { name, path }: NewGroup,
  parent: LockedNamespace | null,
): Promise<number> {
  const fullPath = parent === null ? path : `${parent.fullPath}/${path}`;
  const fullName = parent === null ? name : `${parent.fullName} / ${name}`;
  const rows: { id: number }[] = await tx.query(
    `WITH new AS (SELECT nextval(pg_get_serial_sequence('namespaces', 'id')) AS id)
     INSERT INTO namespaces (id, kind, parent_id, name, path, full_path, full_name, traversal_ids)
     SELECT id, 'group', $1, $2, $3, $4, $5, $6::bigint[] || id FROM new RETURNING id`,
    [parent?.id ?? null, name, path, fullPath, fullName, parent?.traversalIds ?? []],
  );
  const { id } = rows[0] as { id: number };
  await takeOverPath(tx, { id, fullPath });
  return id;
}
