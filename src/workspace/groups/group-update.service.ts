import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditLog, type AuditActor, changesBetween } from '../../core/audit/audit.service.js';
import { processAvatar, type AvatarImages, storeAvatar } from '../../core/avatars/avatar-images.js';
import {
  NotFoundError,
  ValidationFailedError,
  type ValidationMessages,
} from '../../core/errors.js';
import {
  VISIBILITY,
  visibilityName,
  type VisibilityName,
} from '../../identity/members/visibility.js';
import { GroupsRepository, type GroupRow } from './groups.repository.js';
import { namingProblems, TAKEN, visibilityProblem, emailsEnabledOf } from './group-rules.js';
import type { UpdateGroupDto } from './group.dto.js';
import {
  isNamespaceTaken,
  NamespacesRepository,
  type LockedNamespace,
} from '../../identity/users/namespaces.repository.js';

/** Changed attributes; the others stay. */
interface GroupChange {
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
    private readonly audit: AuditLog,
    private readonly groups: GroupsRepository,
    private readonly namespaces: NamespacesRepository,
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
      await this.dataSource.transaction(async (manager) => {
        const { locked, parent } = await this.lock(manager, group.id);
        await this.rename(manager, { locked, parent }, change);
        await this.changeVisibility(manager, { locked, parent, wanted: change.visibility });
        await this.groups.updateAttributes(manager, group.id, change);
        await this.namespaces.touch(manager, group.id);
        await this.writeAvatar(manager, group.id, images);
        await this.audit.recordChange(manager, actor, {
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

  private async lock(
    manager: EntityManager,
    groupId: number,
  ): Promise<{ locked: LockedNamespace; parent: LockedNamespace | null }> {
    await this.namespaces.lockTreeToReshape(manager);
    const locked = await this.namespaces.lock(manager, groupId);
    if (locked === null) throw new NotFoundError('Group');
    const parent =
      locked.parentId === null ? null : await this.namespaces.lock(manager, locked.parentId);
    return { locked, parent };
  }

  /** Absent attributes keep their current value: the group can have been renamed meanwhile. */
  private async rename(
    manager: EntityManager,
    { locked, parent }: { locked: LockedNamespace; parent: LockedNamespace | null },
    { name = locked.name, path = locked.path }: GroupChange,
  ): Promise<void> {
    if (name === locked.name && path === locked.path) return;
    if (path.toLowerCase() !== locked.path.toLowerCase()) {
      await this.assertPathFree(manager, parent, path);
    }
    await this.namespaces.moveGroup(manager, locked, { parent, path, name });
  }

  private async assertPathFree(
    manager: EntityManager,
    parent: LockedNamespace | null,
    path: string,
  ): Promise<void> {
    if (parent === null || !(await this.namespaces.isPathTaken(manager, parent.id, path))) return;
    throw new ValidationFailedError({ path: [TAKEN] });
  }

  private async changeVisibility(
    manager: EntityManager,
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
      (await this.findMoreVisibleChild(manager, locked.id, level));
    if (problem !== null) throw new ValidationFailedError(problem);
    await this.groups.updateVisibility(manager, locked.id, level);
  }

  private async findMoreVisibleChild(
    manager: EntityManager,
    groupId: number,
    level: number,
  ): Promise<ValidationMessages | null> {
    const { groups, projects } = await this.groups.findMoreVisibleChildren(manager, groupId, level);
    const name = visibilityName(level);
    const texts: string[] = [];
    if (projects) {
      texts.push(
        `${name} is not allowed since this group contains projects with higher visibility.`,
      );
    }
    if (groups) {
      texts.push(`${name} is not allowed since there are sub-groups with higher visibility.`);
    }
    return texts.length === 0 ? null : { visibility_level: texts };
  }

  private async writeAvatar(
    manager: EntityManager,
    id: number,
    images: AvatarImages | null | undefined,
  ): Promise<void> {
    if (images === undefined) return;
    await storeAvatar(manager, { kind: 'group', id }, images);
    await this.groups.updateAvatar(manager, id, images?.digest ?? null);
  }
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

/** Returns the change that the parameters describe; what is absent or null stays. */
export function groupChange(dto: UpdateGroupDto): GroupChange {
  return {
    name: dto.name ?? undefined,
    path: dto.path ?? undefined,
    description: dto.description ?? undefined,
    visibility: dto.visibility ?? undefined,
    requestAccessEnabled: dto.request_access_enabled ?? undefined,
    avatar: dto.avatar,
    emailsEnabled: emailsEnabledOf(dto),
  };
}
