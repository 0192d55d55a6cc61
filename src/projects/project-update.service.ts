import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../core/audit/audit.service.js';
import type { AuthContext } from '../core/access/auth-context.js';
import { ForbiddenError, NotFoundError, ValidationFailedError } from '../core/errors.js';
import { namingProblems } from '../groups/group-rules.js';
import { lockNamespace } from '../groups/namespace-tree.js';
import { canInProject } from '../members/abilities.js';
import { VISIBILITY } from '../members/visibility.js';
import { DefaultBranches } from './default-branches.service.js';
import type { UpdateProjectDto } from './dto/update-project.dto.js';
import { plainAttributes } from './project-attributes.js';
import { fullPathOf, type ProjectRow } from './project-row.js';
import {
  assertFree,
  assertVisibilityFits,
  dropRedirect,
  leaveRedirect,
  translateTaken,
} from './project-rules.js';
import { Project } from './project.entity.js';
import { RepositoryMover } from './repository-mover.js';

/** Changes projects. A new path leaves the old one as a redirect; the disk is not touched. */
@Injectable()
export class ProjectUpdateService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
    private readonly branches: DefaultBranches,
    private readonly moduleRef: ModuleRef,
  ) {}

  /**
   * The caller has checked that the asker is a Maintainer; name, path and visibility need an
   * Owner. Throws 403, 400 with messages per attribute, 400 while the repository is read-only and
   * its default branch is to change.
   */
  async update(project: ProjectRow, dto: UpdateProjectDto, auth: AuthContext): Promise<void> {
    assertMayChangeIdentity(project, dto, auth);
    const name = dto.name ?? project.name;
    const path = dto.path ?? project.path;
    const problems = namingProblems({ name, path }, 'below');
    if (Object.keys(problems).length > 0) throw new ValidationFailedError(problems);
    if (dto.default_branch && dto.default_branch !== project.defaultBranch) {
      await this.branches.change(project, dto.default_branch, auth);
    }
    try {
      await this.dataSource.transaction((tx) => this.write(tx, { project, dto, name, path }, auth));
    } catch (error) {
      throw translateTaken(error);
    }
    await this.moveIfWanted(project, dto, auth);
  }

  private async write(
    tx: EntityManager,
    change: { project: ProjectRow; dto: UpdateProjectDto; name: string; path: string },
    auth: AuthContext,
  ): Promise<void> {
    const { project, dto, name, path } = change;
    const { id } = project;
    const namespace = await lockNamespace(tx, project.namespaceId);
    if (namespace === null) throw new NotFoundError('Project');
    const visibility = dto.visibility ? VISIBILITY[dto.visibility] : project.visibility;
    assertVisibilityFits(visibility, namespace);
    if (name !== project.name || path !== project.path) {
      await assertFree(tx, namespace.id, { name, path, exceptId: id });
    }
    const plain = plainAttributes(dto);
    await tx.update(
      Project,
      { id },
      { ...plain, name, path, visibility, updatedAt: () => 'now()' },
    );
    if (path.toLowerCase() !== project.path.toLowerCase()) {
      await leaveRedirect(tx, id, fullPathOf(project));
      await dropRedirect(tx, `${namespace.fullPath}/${path}`);
    }
    const details = { ...plain, name, path, visibility, previous_path: fullPathOf(project) };
    const entry = { action: 'project_updated', targetType: 'Project', targetId: id, details };
    await this.audit.record(tx, auth, entry);
  }

  /** From anybody but an administrator the parameter is ignored (API doc, storage moves). */
  private async moveIfWanted(
    project: ProjectRow,
    { repository_storage: wanted }: UpdateProjectDto,
    auth: AuthContext,
  ): Promise<void> {
    if (!wanted || auth.viewer?.admin !== true || wanted === project.repositoryStorage) return;
    const mover = this.moduleRef.get<RepositoryMover>(RepositoryMover, { strict: false });
    await mover.schedule(project.id, wanted, auth);
  }
}

function assertMayChangeIdentity(
  project: ProjectRow,
  dto: UpdateProjectDto,
  { viewer }: AuthContext,
): void {
  const changesIdentity = [dto.name, dto.path, dto.visibility].some((value) => Boolean(value));
  if (!changesIdentity || canInProject('own_project', { ...project, viewer })) return;
  throw new ForbiddenError();
}
