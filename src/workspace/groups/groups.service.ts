import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { AuditLog, type AuditActor } from '../../core/audit/audit.service.js';
import { processAvatar, type AvatarImages, storeAvatar } from '../../core/avatars/avatar-images.js';
import { ForbiddenError, NotFoundError, ValidationFailedError } from '../../core/errors.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { MembersRepository } from '../../identity/members/members.repository.js';
import { VISIBILITY, type VisibilityName } from '../../identity/members/visibility.js';
import { GroupsRepository, type GroupRow } from './groups.repository.js';
import {
  isNamespaceTaken,
  NamespacesRepository,
  type LockedNamespace,
} from '../../identity/users/namespaces.repository.js';
import {
  MAX_DEPTH,
  namingProblems,
  TAKEN,
  visibilityProblem,
  emailsEnabledOf,
} from './group-rules.js';
import type { CreateGroupDto } from './group.dto.js';
import { canInGroup } from '../../identity/members/abilities.js';
import { UsersRepository } from '../../identity/users/users.repository.js';
import { JobQueue } from '../../core/durable-work/job-queue.service.js';
import { QUEUES } from '../../core/durable-work/queues.js';

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

/**
 * Creates groups and subgroups, whose creator becomes the owner, and accepts their deletion, which
 * the worker carries out.
 */
@Injectable()
export class GroupsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly storages: StorageRegistry,
    private readonly groups: GroupsRepository,
    private readonly namespaces: NamespacesRepository,
    private readonly members: MembersRepository,
    private readonly users: UsersRepository,
    private readonly jobs: JobQueue,
  ) {}

  /**
   * Returns the new group's ID. Throws 403, 404 for a parent that is not visible, and 400 with
   * messages per attribute.
   */
  async create(input: NewGroup, viewer: Viewer, actor: AuditActor): Promise<number> {
    await this.assertMayAddTo(input.parentId, viewer);
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

  /**
   * Hides the group and all below it immediately. Throws 409 while a repository of any of them is
   * being moved.
   */
  async requestDeletion(group: GroupRow, actor: AuditActor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      await this.namespaces.lockTreeToReshape(tx);
      await this.namespaces.hideGroup(tx, group.id);
      await this.audit.record(tx, actor, {
        action: 'group_deletion_requested',
        targetType: 'Group',
        targetId: group.id,
        details: { path: group.fullPath },
      });
    });
    this.jobs.enqueue(QUEUES.deletions, { kind: 'group', id: group.id });
  }
}

/** Returns the group that the parameters describe; private by default. */
export function newGroup(dto: CreateGroupDto): NewGroup {
  return {
    name: dto.name,
    path: dto.path,
    parentId: dto.parent_id ?? null,
    description: dto.description ?? '',
    visibility: dto.visibility ?? 'private',
    requestAccessEnabled: dto.request_access_enabled ?? true,
    avatar: dto.avatar,
    emailsEnabled: emailsEnabledOf(dto) ?? true,
  };
}
