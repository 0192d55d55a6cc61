import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Activity } from '../../core/activity/activity.service.js';
import { AuditLog, changesBetween, type AuditedChange } from '../../core/audit/audit.service.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { ApiError, NotFoundError, UnauthorizedError } from '../../core/errors.js';
import { parseIdOrPath } from '../../core/params/ids.js';
import {
  NamespacesRepository,
  type LockedNamespace,
} from '../../identity/users/namespaces.repository.js';
import { visibilityName } from '../../identity/members/visibility.js';
import { RouteRedirectsRepository } from '../../identity/users/route-redirects.repository.js';
import { movedNotification, translateTaken } from './project-attributes.js';
import { ProjectsService } from './projects.service.js';
import { ProjectsRepository, type ProjectRow } from './projects.repository.js';
import { Project } from './project.entity.js';

/** Gives projects another namespace. The disk is not touched: paths there follow from the id. */
@Injectable()
export class ProjectTransferService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly projects: ProjectsRepository,
    private readonly audit: AuditLog,
    private readonly service: ProjectsService,
    private readonly activity: Activity,
    private readonly namespaces: NamespacesRepository,
    private readonly redirects: RouteRedirectsRepository,
  ) {}

  /**
   * The caller has checked that the viewer is an Owner; they also need the right to create projects
   * there. A project more visible than its new group is lowered to it. Throws 404 for a namespace
   * that is not usable, 400 on a clash or when nothing would change.
   */
  async transfer(project: ProjectRow, namespace: string, auth: AuthContext): Promise<void> {
    if (auth.viewer === null) throw new UnauthorizedError();
    const id = await this.service.findUsable(parseIdOrPath(namespace), auth.viewer);
    if (id === null) throw new NotFoundError('Namespace');
    try {
      await this.dataSource.transaction(async (tx) => {
        const target = await this.namespaces.lock(tx, id);
        if (target === null) throw new NotFoundError('Namespace');
        const { formerPath, details } = await this.moveTo(tx, project.id, target);
        const entry = { action: 'project_transferred', targetType: 'Project', details };
        await this.audit.record(tx, auth, { ...entry, targetId: project.id });
        await this.activity.notify(tx, [movedNotification({ id: project.id, formerPath }, auth)]);
      });
    } catch (error) {
      throw clash(translateTaken(error));
    }
  }

  /** Moves the project; returns its former path and the changes. */
  private async moveTo(
    tx: EntityManager,
    projectId: number,
    target: LockedNamespace,
  ): Promise<{ formerPath: string; details: Record<string, AuditedChange> }> {
    const project = await this.projects.lock(tx, projectId);
    const { id, name, path, visibility } = project;
    if (project.namespaceId === target.id) throw refusal('Project is already in this namespace.');
    await this.projects.assertFree(tx, target.id, { name, path, exceptId: id });
    const values = {
      namespaceId: target.id,
      visibility: Math.min(visibility, target.visibility ?? visibility),
      updatedAt: () => 'now()',
    };
    await tx.update(Project, { id }, values);
    const [from, to] = [`${project.namespaceFullPath}/${path}`, `${target.fullPath}/${path}`];
    await this.redirects.addProject(tx, { id, fullPath: from });
    await this.redirects.deletePath(tx, to);
    const details = changesBetween(
      { full_path: from, visibility: visibilityName(visibility) },
      { full_path: to, visibility: visibilityName(values.visibility) },
    );
    return { formerPath: from, details };
  }
}

function clash(error: unknown): unknown {
  const isTaken = error instanceof ApiError && JSON.stringify(error.body).includes('taken');
  return isTaken
    ? refusal('Project with same name or path in target namespace already exists')
    : error;
}

function refusal(reason: string): ApiError {
  return new ApiError(400, { message: reason });
}
