import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { AuthContext } from '../../core/access/auth-context.js';
import { AuditLog } from '../../core/audit/audit.service.js';
import { ValidationFailedError } from '../../core/errors.js';
import { listReferences, setHeadBranch } from '../../git/git-repository.js';
import { BRANCH_PREFIX, isValidBranchName } from '../../git/reference-name.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { WriteLeaseService } from '../../git/write-lease.service.js';
import type { ProjectRow } from './projects.repository.js';
import { Project } from './project.entity.js';

/** Changes HEAD of a project's repository, and the row that lists read. */
@Injectable()
export class DefaultBranches {
  constructor(
    private readonly dataSource: DataSource,
    private readonly storages: StorageRegistry,
    private readonly leases: WriteLeaseService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Any valid name in an empty repository, else a branch that exists. Throws 400, also while the
   * repository is read-only.
   */
  async change(project: ProjectRow, branch: string, auth: AuthContext): Promise<void> {
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
      await this.note(project, branch, auth);
    });
  }

  private note(
    { id, defaultBranch }: ProjectRow,
    branch: string,
    auth: AuthContext,
  ): Promise<void> {
    return this.dataSource.transaction(async (tx) => {
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
