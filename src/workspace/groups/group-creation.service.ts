import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditLog, type AuditActor } from '../../core/audit/audit.service.js';
import type { Viewer } from '../../core/access/viewer.js';
import { processAvatar, type AvatarImages } from '../../core/avatars/avatar-images.js';
import { storeAvatar } from '../../core/avatars/store-avatar.js';
import { NotFoundError, ValidationFailedError } from '../../core/errors.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { MembersRepository } from '../../identity/members/members.repository.js';
import { VISIBILITY, type VisibilityName } from '../../identity/members/visibility.js';
import { GroupsRepository } from './groups.repository.js';
import {
  isNamespaceTaken,
  NamespacesRepository,
  type LockedNamespace,
} from '../../identity/users/namespaces.repository.js';
import { GroupPermissions } from './group-permissions.service.js';
import { MAX_DEPTH, namingProblems, TAKEN, visibilityProblem } from './group-rules.js';

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

/** Creates groups and subgroups; the creator becomes the owner. */
@Injectable()
export class GroupCreationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly permissions: GroupPermissions,
    private readonly storages: StorageRegistry,
    private readonly groups: GroupsRepository,
    private readonly namespaces: NamespacesRepository,
    private readonly members: MembersRepository,
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
      return await this.dataSource.transaction((manager) =>
        this.insert(manager, { ...input, images }, { viewer, actor }),
      );
    } catch (error) {
      throw isNamespaceTaken(error) ? new ValidationFailedError({ path: [TAKEN] }) : error;
    }
  }

  private async insert(
    manager: EntityManager,
    input: NewGroup & { images: AvatarImages | null },
    { viewer, actor }: { viewer: Viewer; actor: AuditActor },
  ): Promise<number> {
    await this.namespaces.lockTreeToAdd(manager);
    const parent = await this.lockParent(manager, input);
    const { name, path, parentId, visibility } = input;
    const id = await this.namespaces.insertGroup(manager, { parent, name, path });
    await this.groups.insertGroup(manager, {
      id,
      description: input.description,
      visibility: VISIBILITY[visibility],
      requestAccessEnabled: input.requestAccessEnabled,
      emailsEnabled: input.emailsEnabled,
      repositoryStorage: this.drawStorage(),
      avatar: input.images?.digest ?? null,
    });
    await storeAvatar(manager, { kind: 'group', id }, input.images);
    await this.members.addGroupOwner(manager, id, viewer.id);
    const details = { path, parent_id: parentId, visibility };
    const entry = { action: 'group_created', targetType: 'Group', targetId: id, details };
    await this.audit.record(manager, actor, entry);
    return id;
  }

  private async lockParent(
    manager: EntityManager,
    input: NewGroup,
  ): Promise<LockedNamespace | null> {
    if (input.parentId === null) return null;
    const parent = await this.namespaces.lock(manager, input.parentId);
    if (parent === null) throw new NotFoundError('Group');
    if (parent.traversalIds.length >= MAX_DEPTH) {
      throw new ValidationFailedError({ parent_id: ['has too deep level of nesting'] });
    }
    const problem = visibilityProblem(VISIBILITY[input.visibility], parent.visibility);
    if (problem !== null) throw new ValidationFailedError(problem);
    if (await this.namespaces.isPathTaken(manager, parent.id, input.path)) {
      throw new ValidationFailedError({ path: [TAKEN] });
    }
    return parent;
  }

  /** Where the group's wiki will be once it is needed. */
  private drawStorage(): string {
    const storage = this.storages.pick();
    if (storage === null) throw new Error('No storage takes new repositories');
    return storage;
  }
}
