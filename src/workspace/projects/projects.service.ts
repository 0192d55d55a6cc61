import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { Activity } from '../../core/activity/activity.service.js';
import { AuditLog, type AuditActor } from '../../core/audit/audit.service.js';
import { processAvatar, type AvatarImages, storeAvatar } from '../../core/avatars/avatar-images.js';
import { JobQueue } from '../../core/durable-work/job-queue.service.js';
import { QUEUES } from '../../core/durable-work/queues.js';
import {
  ApiError,
  ConflictError,
  ForbiddenError,
  ValidationFailedError,
} from '../../core/errors.js';
import type { IdOrPath } from '../../core/params/ids.js';
import {
  NamespacesRepository,
  type LockedNamespace,
} from '../../identity/users/namespaces.repository.js';
import { Member } from '../../identity/members/member.entity.js';
import { ROLES } from '../../identity/members/roles.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import { RouteRedirectsRepository } from '../../identity/users/route-redirects.repository.js';
import { ContainerDeletionsRepository } from './container-deletions.repository.js';
import {
  assertVisibilityFits,
  newProject,
  translateTaken,
  type NewProject,
  type ProjectPlan,
} from './project-attributes.js';
import { ProjectRepositories, ProjectStorageChoice } from './project-repositories.service.js';
import { Project } from './project.entity.js';
import { fullPathOf, ProjectsRepository, type ProjectRow } from './projects.repository.js';
import {
  VisibleNamespacesRepository,
  type NamespaceAccess,
} from '../groups/visible-namespaces.repository.js';
import { canInGroup } from '../../identity/members/abilities.js';

/** Creates projects: first the repository, complete and in place, then the row that shows it. */
@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly audit: AuditLog,
    private readonly repositories: ProjectRepositories,
    private readonly storageChoice: ProjectStorageChoice,
    private readonly activity: Activity,
    private readonly namespaces: NamespacesRepository,
    private readonly redirects: RouteRedirectsRepository,
    private readonly visibleNamespaces: VisibleNamespacesRepository,
  ) {}

  /**
   * Returns the new project's id; the caller has found a namespace that the creator can use. Throws
   * 400 with messages per attribute, 403 beyond the creator's limit of projects. A process that
   * dies midway leaves a folder that nothing names: ids are never given twice.
   */
  async create(input: NewProject, actor: AuditActor): Promise<number> {
    const plan = newProject(input, this.storageChoice.choose(input));
    await this.projects.assertFree(this.projects.manager, plan.namespaceId, plan);
    const images = (await processAvatar(input.dto.avatar)) ?? null;
    const id = await this.projects.nextId();
    const repository = { ...plan, projectId: id };
    await this.repositories.create(repository);
    try {
      await this.projects.manager.transaction((tx) =>
        this.insert(tx, { ...plan, id, images }, actor),
      );
    } catch (error) {
      const refusal = translateTaken(error);
      // Only a refusal proves that the row is not there; after anything else it may well be.
      if (refusal instanceof ApiError) await this.repositories.discard(repository, 'refused');
      throw refusal;
    }
    return id;
  }

  private async insert(
    tx: EntityManager,
    plan: ProjectPlan & { id: number; images: AvatarImages | null },
    actor: AuditActor,
  ): Promise<void> {
    const { id, name, path, namespaceId, creator } = plan;
    const namespace = await this.namespaces.lock(tx, namespaceId);
    if (namespace === null) throw new ValidationFailedError({ namespace: ['is not valid'] });
    assertVisibilityFits(VISIBILITY[plan.visibility], namespace);
    await this.assertWithinLimit(tx, namespace);
    await this.projects.assertFree(tx, namespaceId, { name, path });
    await tx.insert(Project, {
      ...plan.attributes,
      id,
      namespaceId,
      name,
      path,
      visibility: VISIBILITY[plan.visibility],
      defaultBranch: plan.defaultBranch,
      emptyRepo: plan.readme === null,
      creatorId: creator.id,
      repositoryStorage: plan.storage,
      avatar: plan.images?.digest ?? null,
    });
    await storeAvatar(tx, { kind: 'project', id }, plan.images);
    await this.redirects.deletePath(tx, `${namespace.fullPath}/${path}`);
    await addOwner(tx, id, namespace);
    await this.activity.record(tx, [
      { projectId: id, authorId: creator.id, action: 'created', target: { type: 'project', id } },
    ]);
    const { visibility, storage } = plan;
    const details = { path: `${namespace.fullPath}/${path}`, visibility, storage };
    const entry = { action: 'project_created', targetType: 'Project', targetId: id, details };
    await this.audit.record(tx, actor, entry);
  }

  /** `projects_limit` counts the projects in the user's own namespace, which is locked here. */
  private async assertWithinLimit(
    tx: EntityManager,
    { id, ownerId }: LockedNamespace,
  ): Promise<void> {
    if (ownerId === null) return;
    const quota = await this.projects.findQuota(tx, { id, ownerId });
    if (quota === null || quota.count < quota.limit) return;
    throw new ForbiddenError(
      `Your project limit is ${quota.limit} projects! Please contact your administrator to increase it`,
    );
  }

  /**
   * Returns the id of the namespace for a new project of the user: the given one, else their own.
   * Throws 400 when there is none or they cannot create projects in it.
   */
  async findForNew(wanted: number | null | undefined, viewer: Viewer): Promise<number> {
    const id = wanted ?? (await this.visibleNamespaces.findIdOfUser(viewer.id));
    const usable = id === null ? null : await this.findUsable({ id }, viewer);
    if (usable === null) throw new ValidationFailedError({ namespace: ['is not valid'] });
    return usable;
  }

  /**
   * Returns the id of a namespace in which the user can create projects: their own (not external
   * users), a group as Developer; any for administrators. Returns null for any other.
   */
  async findUsable(wanted: IdOrPath, viewer: Viewer): Promise<number | null> {
    const namespace = await this.visibleNamespaces.findAccess(wanted, viewer.id);
    return namespace !== null && mayCreateIn(namespace, viewer) ? namespace.id : null;
  }
}

/** The owner of a user's namespace is listed as member of the projects in it. */
async function addOwner(
  tx: EntityManager,
  projectId: number,
  { ownerId: userId }: LockedNamespace,
): Promise<void> {
  if (userId === null) return;
  const accessLevel = ROLES.owner;
  await tx.insert(Member, { projectId, userId, accessLevel, createdById: userId });
}

function mayCreateIn(namespace: NamespaceAccess, viewer: Viewer): boolean {
  if (viewer.admin) return true;
  if (namespace.visibility === null) return namespace.ownerId === viewer.id && !viewer.external;
  const { visibility, accessLevel } = namespace;
  return canInGroup('create_project', { visibility, accessLevel, viewer });
}

/** Accepts the deletion of projects; the worker carries it out. */
@Injectable()
export class ProjectDeletionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
    private readonly jobs: JobQueue,
    private readonly containers: ContainerDeletionsRepository,
  ) {}

  /**
   * Hides the project immediately. Throws 409 while its repositories or snippets are being moved.
   */
  async request(project: ProjectRow, actor: AuditActor): Promise<void> {
    const { id } = project;
    await this.dataSource.transaction(async (tx) => {
      // Marking locks the row that scheduling a move locks, so it is either seen below or refused.
      await this.containers.hideProject(tx, id);
      await this.assertNothingMoves(tx, id);
      await this.audit.record(tx, actor, {
        action: 'project_deletion_requested',
        targetType: 'Project',
        targetId: id,
        details: { path: fullPathOf(project) },
      });
    });
    this.jobs.enqueue(QUEUES.deletions, { kind: 'project', id });
  }

  private async assertNothingMoves(tx: EntityManager, projectId: number): Promise<void> {
    const { project, snippets } = await this.containers.findMoves(tx, projectId);
    if (!project && !snippets) return;
    const noun = project ? 'project' : 'related snippet';
    throw new ConflictError(
      `Couldn't remove the project. A ${noun} repository storage move is in progress. Try again when it's complete.`,
    );
  }
}
