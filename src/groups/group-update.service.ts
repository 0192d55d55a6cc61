import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { changesBetween } from '../core/audit/changes.js';
import { processAvatar, type AvatarImages } from '../core/avatars/avatar-images.js';
import { storeAvatar } from '../core/avatars/store-avatar.js';
import { NotFoundError, ValidationFailedError, type ValidationMessages } from '../core/errors.js';
import { VISIBILITY, visibilityName, type VisibilityName } from '../members/visibility.js';
import type { GroupRow } from './group-row.js';
import { namingProblems, TAKEN, visibilityProblem } from './group-rules.js';
import {
  isNamespaceTaken,
  isPathTaken,
  lockNamespace,
  placeNamespace,
  type LockedNamespace,
} from './namespace-tree.js';
import { lockTreeToReshape } from '../users/tree-lock.js';

/** What is given changes; the rest stays. */
export interface GroupChange {
  name?: string;
  path?: string;
  description?: string;
  visibility?: VisibilityName;
  requestAccessEnabled?: boolean;
  emailsEnabled?: boolean;
  /** An uploaded image; null removes it. */
  avatar?: Buffer | null;
}

/** Changes groups. A new path moves everything below along and leaves redirects behind. */
@Injectable()
export class GroupUpdateService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
  ) {}

  /** Throws 400 with messages per attribute, 404 when the group is gone meanwhile. */
  async update(
    group: GroupRow,
    { avatar, ...change }: GroupChange,
    actor: AuditActor,
  ): Promise<void> {
    const { name = group.name, path = group.path } = change;
    const problems = namingProblems({ name, path }, group.parentId === null ? 'top' : 'below');
    if (Object.keys(problems).length > 0) throw new ValidationFailedError(problems);
    const images = await processAvatar(avatar);
    try {
      await this.dataSource.transaction(async (tx) => {
        const { locked, parent } = await lockForUpdate(tx, group.id);
        await rename(tx, { locked, parent }, change);
        await changeVisibility(tx, { locked, parent, wanted: change.visibility });
        await writeAttributes(tx, group.id, change);
        await writeAvatar(tx, group.id, images);
        await this.audit.recordChange(tx, actor, {
          action: 'group_updated',
          targetType: 'Group',
          targetId: group.id,
          details: changesBetween<AuditedChange>(before(group, locked), {
            ...change,
            ...(images !== undefined && { avatar: images?.digest ?? null }),
          }),
        });
      });
    } catch (error) {
      throw isNamespaceTaken(error) ? new ValidationFailedError({ path: [TAKEN] }) : error;
    }
  }
}

async function writeAvatar(
  tx: EntityManager,
  id: number,
  images: AvatarImages | null | undefined,
): Promise<void> {
  if (images === undefined) return;
  await storeAvatar(tx, { kind: 'group', id }, images);
  await tx.query('UPDATE groups SET avatar = $2 WHERE id = $1', [id, images?.digest ?? null]);
}

/** The change with the avatar by its digest, as the audit log shows it. */
type AuditedChange = Omit<GroupChange, 'avatar'> & { avatar?: string | null };

/** Name, path and visibility as they are by now; the rest as the request found it. */
function before(
  { description, requestAccessEnabled, emailsEnabled, avatar }: GroupRow,
  { name, path, visibility }: LockedNamespace,
): AuditedChange {
  const attributes = { name, path, description, requestAccessEnabled, emailsEnabled, avatar };
  return visibility === null
    ? attributes
    : { ...attributes, visibility: visibilityName(visibility) };
}

async function lockForUpdate(
  tx: EntityManager,
  groupId: number,
): Promise<{ locked: LockedNamespace; parent: LockedNamespace | null }> {
  await lockTreeToReshape(tx);
  const locked = await lockNamespace(tx, groupId);
  if (locked === null) throw new NotFoundError('Group');
  const parent = locked.parentId === null ? null : await lockNamespace(tx, locked.parentId);
  return { locked, parent };
}

/** What is not given stays as it is by now: somebody may have renamed the group meanwhile. */
async function rename(
  tx: EntityManager,
  { locked, parent }: { locked: LockedNamespace; parent: LockedNamespace | null },
  { name = locked.name, path = locked.path }: GroupChange,
): Promise<void> {
  if (name === locked.name && path === locked.path) return;
  if (path.toLowerCase() !== locked.path.toLowerCase()) await assertPathFree(tx, parent, path);
  await placeNamespace(tx, locked, { parent, path, name });
}

async function assertPathFree(
  tx: EntityManager,
  parent: LockedNamespace | null,
  path: string,
): Promise<void> {
  if (parent === null || !(await isPathTaken(tx, parent.id, path))) return;
  throw new ValidationFailedError({ path: [TAKEN] });
}

async function changeVisibility(
  tx: EntityManager,
  change: {
    locked: LockedNamespace;
    parent: LockedNamespace | null;
    wanted: VisibilityName | undefined;
  },
): Promise<void> {
  const { locked, parent, wanted } = change;
  if (wanted === undefined || VISIBILITY[wanted] === locked.visibility) return;
  const level = VISIBILITY[wanted];
  const problem =
    visibilityProblem(level, parent?.visibility ?? null) ??
    (await moreVisibleChild(tx, locked.id, level));
  if (problem !== null) throw new ValidationFailedError(problem);
  await tx.query('UPDATE groups SET visibility = $2 WHERE id = $1', [locked.id, level]);
}

async function moreVisibleChild(
  tx: EntityManager,
  groupId: number,
  level: number,
): Promise<ValidationMessages | null> {
  const rows: { projects: boolean; groups: boolean }[] = await tx.query(
    `SELECT EXISTS (SELECT 1 FROM projects WHERE namespace_id = $1 AND visibility > $2) AS projects,
       EXISTS (SELECT 1 FROM groups g JOIN namespaces n ON n.id = g.id
               WHERE n.parent_id = $1 AND g.visibility > $2) AS groups`,
    [groupId, level],
  );
  const name = visibilityName(level);
  const texts: string[] = [];
  if (rows[0]?.projects) {
    texts.push(`${name} is not allowed since this group contains projects with higher visibility.`);
  }
  if (rows[0]?.groups) {
    texts.push(`${name} is not allowed since there are sub-groups with higher visibility.`);
  }
  return texts.length === 0 ? null : { visibility_level: texts };
}

async function writeAttributes(
  tx: EntityManager,
  groupId: number,
  change: GroupChange,
): Promise<void> {
  await tx.query(
    `UPDATE groups SET description = coalesce($2, description),
       request_access_enabled = coalesce($3, request_access_enabled),
       emails_enabled = coalesce($4, emails_enabled) WHERE id = $1`,
    [
      groupId,
      change.description ?? null,
      change.requestAccessEnabled ?? null,
      change.emailsEnabled ?? null,
    ],
  );
  await tx.query('UPDATE namespaces SET updated_at = now() WHERE id = $1', [groupId]);
}
