import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../core/audit/audit.service.js';
import type { AuthContext } from '../core/access/auth-context.js';
import { ApiError, NotFoundError, UnauthorizedError } from '../core/errors.js';
import { parseIdOrPath } from '../core/params/ids.js';
import { lockNamespace, type LockedNamespace } from '../groups/namespace-tree.js';
import { ProjectPlaces } from './project-places.service.js';
import { fullPathOf, type ProjectRow } from './project-row.js';
import { assertFree, dropRedirect, leaveRedirect, translateTaken } from './project-rules.js';
import { Project } from './project.entity.js';

/** Gives projects another namespace. The disk is not touched: paths there follow from the id. */
@Injectable()
export class ProjectTransferService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
    private readonly places: ProjectPlaces,
  ) {}

  /**
   * The caller has checked that the asker is an Owner; they also need the right to create projects
   * there. A project more visible than its new group is lowered to it. Throws 404 for a namespace
   * that is not usable, 400 on a clash or when nothing would change.
   */
  async transfer(project: ProjectRow, namespace: string, auth: AuthContext): Promise<void> {
    if (auth.viewer === null) throw new UnauthorizedError();
    const id = await this.places.usableNamespaceId(parseIdOrPath(namespace), auth.viewer);
    if (id === null) throw new NotFoundError('Namespace');
    if (id === project.namespaceId) throw refusal('Project is already in this namespace.');
    try {
      await this.dataSource.transaction(async (tx) => {
        const target = await lockNamespace(tx, id);
        if (target === null) throw new NotFoundError('Namespace');
        await place(tx, project, target);
        await this.audit.record(tx, auth, {
          action: 'project_transferred',
          targetType: 'Project',
          targetId: project.id,
          details: { from: fullPathOf(project), to: `${target.fullPath}/${project.path}` },
        });
      });
    } catch (error) {
      throw clash(translateTaken(error));
    }
  }
}

async function place(
  tx: EntityManager,
  project: ProjectRow,
  target: LockedNamespace,
): Promise<void> {
  const { id, name, path } = project;
  await assertFree(tx, target.id, { name, path, exceptId: id });
  const visibility = Math.min(project.visibility, target.visibility ?? project.visibility);
  await tx.update(
    Project,
    { id },
    { namespaceId: target.id, visibility, updatedAt: () => 'now()' },
  );
  await leaveRedirect(tx, id, fullPathOf(project));
  await dropRedirect(tx, `${target.fullPath}/${path}`);
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
