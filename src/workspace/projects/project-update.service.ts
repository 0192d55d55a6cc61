import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Activity } from '../../core/activity/activity.service.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { AuditLog, type AuditActor, changesBetween } from '../../core/audit/audit.service.js';
import { processAvatar, type AvatarImages, storeAvatar } from '../../core/avatars/avatar-images.js';
import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  ValidationFailedError,
} from '../../core/errors.js';
import { emailsEnabledOf, namingProblems } from '../groups/group-rules.js';
import { canInProject } from '../../identity/members/abilities.js';
import { VISIBILITY, visibilityName } from '../../identity/members/visibility.js';
import { NamespacesRepository } from '../../identity/users/namespaces.repository.js';
import { RouteRedirectsRepository } from '../../identity/users/route-redirects.repository.js';
import {
  assertVisibilityFits,
  movedNotification,
  plainAttributes,
  translateTaken,
} from './project-attributes.js';
import { ProjectStorageChoice } from './project-repositories.service.js';
import type { UpdateProjectDto } from './project.dto.js';
import { Project } from './project.entity.js';
import { ProjectsRepository, type ProjectRow } from './projects.repository.js';
import { listReferences, setHeadBranch } from '../../git/git-repository.js';
import { BRANCH_PREFIX, isValidBranchName } from '../../git/reference-name.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { WriteLeaseService } from '../../git/write-lease.service.js';

interface ProjectChange {
  dto: UpdateProjectDto;
  auth: AuthContext;
  /** The images of a new avatar; null removes it, undefined keeps it. */
  images: AvatarImages | null | undefined;
}

/**
 * Updates projects. A new path keeps the old one as a redirect and notifies owners and maintainers;
 * repositories stay in place on disk.
 */
@Injectable()
export class ProjectUpdateService {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly audit: AuditLog,
    private readonly storageChoice: ProjectStorageChoice,
    private readonly activity: Activity,
    private readonly namespaces: NamespacesRepository,
    private readonly redirects: RouteRedirectsRepository,
    private readonly storages: StorageRegistry,
    private readonly leases: WriteLeaseService,
  ) {}

  /**
   * The caller has checked that the viewer is a Maintainer; name, path, visibility and
   * `emails_enabled` require an Owner. Throws 403, also for the default branch of an archived
   * project, 400 with messages per attribute, and 400 for changes of the repository while it is
   * read-only.
   */
  async update(project: ProjectRow, dto: UpdateProjectDto, auth: AuthContext): Promise<void> {
    const { name = project.name, path = project.path } = namingOf(dto);
    const storage = auth.viewer?.admin === true ? wantedStorage(project, dto) : null;
    const branch = wantedBranch(project, dto);
    assertMayChange(project, dto, auth);
    const problems = namingProblems({ name, path }, 'below');
    if (Object.keys(problems).length > 0) throw new ValidationFailedError(problems);
    if (storage !== null) this.storageChoice.assertMovable(project, storage);
    const images = await processAvatar(dto.avatar);
    if (branch !== null) {
      // Once the branch has changed nothing foreseeable may refuse the rest.
      await this.projects.assertFree(this.projects.manager, project.namespaceId, {
        name,
        path,
        exceptId: project.id,
      });
      await this.changeDefaultBranch(project, branch, auth);
    }
    try {
      await this.projects.manager.transaction((tx) =>
        this.write(tx, project, { dto, auth, images }),
      );
    } catch (error) {
      throw translateTaken(error);
    }
    if (storage !== null) await this.storageChoice.move(project.id, storage, auth);
  }

  /** Archives a project, which makes it read-only for everyone, or unarchives it. */
  async setArchived(id: number, archived: boolean, actor: AuditActor): Promise<void> {
    await this.projects.manager.transaction(async (tx) => {
      const changed = await tx.update(
        Project,
        { id, archived: !archived },
        { archived, updatedAt: () => 'now()' },
      );
      if (changed.affected === 0) return;
      const action = archived ? 'project_archived' : 'project_unarchived';
      const details = { archived: { from: !archived, to: archived } };
      await this.audit.record(tx, actor, { action, targetType: 'Project', targetId: id, details });
    });
  }

  private async write(
    tx: EntityManager,
    { id, namespaceId }: ProjectRow,
    { dto, auth, images }: ProjectChange,
  ): Promise<void> {
    const namespace = await this.namespaces.lock(tx, namespaceId);
    if (namespace === null) throw new NotFoundError('Project');
    const before = await this.projects.lock(tx, id);
    if (before.namespaceId !== namespaceId) throw new ConflictError('409 Conflict: Resource lock');
    const changes = {
      ...plainAttributes(dto),
      ...namingOf(dto),
      ...visibilityOf(dto),
      ...(images !== undefined && { avatar: images?.digest ?? null }),
    };
    const { name, path, visibility } = { ...before, ...changes };
    assertVisibilityFits(visibility, namespace);
    if (name !== before.name || path !== before.path) {
      await this.projects.assertFree(tx, namespaceId, { name, path, exceptId: id });
    }
    await storeAvatar(tx, { kind: 'project', id }, images);
    await tx.update(Project, { id }, { ...changes, updatedAt: () => 'now()' });
    if (path.toLowerCase() !== before.path.toLowerCase()) {
      const formerPath = `${namespace.fullPath}/${before.path}`;
      await this.redirects.addProject(tx, { id, fullPath: formerPath });
      await this.redirects.deletePath(tx, `${namespace.fullPath}/${path}`);
      await this.activity.notify(tx, [movedNotification({ id, formerPath }, auth)]);
    }
    const details = changesBetween(named(before), named(changes));
    const entry = { action: 'project_updated', targetType: 'Project', targetId: id, details };
    await this.audit.recordChange(tx, auth, entry);
  }

  /**
   * Changes HEAD of the repository, and the row that lists read, to any valid name in an empty
   * repository, else to a branch that exists. Throws 400, also while the repository is read-only.
   */
  private async changeDefaultBranch(
    project: ProjectRow,
    branch: string,
    auth: AuthContext,
  ): Promise<void> {
    const { id } = project;
    if (!isValidBranchName(branch)) {
      throw new ValidationFailedError({ default_branch: ['is invalid'] });
    }
    const request = { kind: 'project', containerId: id, userId: auth.viewer?.id ?? null } as const;
    await this.leases.run(request, async ({ storage }) => {
      const path = this.storages.absolutePath({ storage, kind: 'project', containerId: id });
      const names = (await listReferences(path)).map(({ name }) => name);
      if (names.length > 0 && !names.includes(`${BRANCH_PREFIX}${branch}`)) {
        const text = `Could not change HEAD: branch '${branch}' does not exist`;
        throw new ValidationFailedError({ base: [text] });
      }
      await setHeadBranch(path, branch);
      await this.saveDefaultBranch(project, branch, auth);
    });
  }

  private saveDefaultBranch(
    { id, defaultBranch }: ProjectRow,
    branch: string,
    auth: AuthContext,
  ): Promise<void> {
    return this.projects.manager.transaction(async (tx) => {
      await tx.update(Project, { id }, { defaultBranch: branch, updatedAt: () => 'now()' });
      await this.audit.record(tx, auth, {
        action: 'project_default_branch_changed',
        targetType: 'Project',
        targetId: id,
        details: { default_branch: { from: defaultBranch, to: branch } },
      });
    });
  }
}

/** Name and path as far as they are given. */
function namingOf({ name, path }: UpdateProjectDto): { name?: string; path?: string } {
  return { ...(name != null && { name }), ...(path != null && { path }) };
}

function visibilityOf({ visibility }: UpdateProjectDto): { visibility?: number } {
  return visibility ? { visibility: VISIBILITY[visibility] } : {};
}

/** Returns the attributes for the audit log, with the visibility by its name. */
function named<T extends { visibility?: number }>({ visibility, ...rest }: T) {
  return visibility === undefined ? rest : { ...rest, visibility: visibilityName(visibility) };
}

/** The storage to move to; from anyone but an administrator it is ignored (API doc, moves). */
function wantedStorage(project: ProjectRow, dto: UpdateProjectDto): string | null {
  const { repository_storage: wanted } = dto;
  return wanted && wanted !== project.repositoryStorage ? wanted : null;
}

/** The new default branch; throws 403 in an archived project, which is read-only for everyone. */
function wantedBranch(
  project: ProjectRow,
  { default_branch: wanted }: UpdateProjectDto,
): string | null {
  if (!wanted || wanted === project.defaultBranch) return null;
  if (project.archived) throw new ForbiddenError();
  return wanted;
}

/** Only owners can change attributes that concern the whole project and all of its members. */
function assertMayChange(
  project: ProjectRow,
  dto: UpdateProjectDto,
  { viewer }: AuthContext,
): void {
  const concernsAll =
    [dto.name, dto.path, dto.visibility].some((value) => Boolean(value)) ||
    emailsEnabledOf(dto) !== undefined;
  if (!concernsAll || canInProject('own_project', { ...project, viewer })) return;
  throw new ForbiddenError();
}
