import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { VNode } from 'preact';
import { NotFoundError, StorageUnavailableError, UnavailableError } from '../../../core/errors.js';
import { resolveRevision } from '../../../git/reading/revisions.js';
import { canInProject } from '../../../identity/members/abilities.js';
import {
  ProjectOverviewSections,
  type ShownProject,
} from '../../../workspace/projects/pages/project-overview-sections.service.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { codeAddresses } from './addresses.js';
import { CodeReading } from './code-reading.service.js';
import { type Folder, readFolder } from './folder.js';
import { RepositoryOverview, UnreadableRepository } from './repository-overview.js';

/** Shows the files and the README on the first page of a project. */
@Injectable()
export class RepositoryOverviews implements OnModuleInit {
  private readonly logger = new Logger(RepositoryOverviews.name);

  constructor(
    private readonly code: CodeReading,
    private readonly sections: ProjectOverviewSections,
  ) {}

  onModuleInit(): void {
    this.sections.add((shown) => this.show(shown));
  }

  /** The rest of the page has its use while the storage of the repository is away. */
  private async show({ project, pageContext }: ShownProject): Promise<VNode | null> {
    const mayRead = canInProject('read_code', { ...project, viewer: pageContext.viewer });
    if (project.emptyRepo || !project.repositoryEnabled || !mayRead) return null;
    try {
      const folder = await this.readRoot(project);
      const addresses = codeAddresses(project);
      return folder === null ? null : RepositoryOverview({ folder, addresses });
    } catch (error) {
      const isLost = error instanceof StorageUnavailableError;
      const isKnown = isLost || error instanceof UnavailableError || error instanceof NotFoundError;
      if (!isKnown) throw error;
      const line = `The repository of project ${project.id} cannot be read: ${error.message}`;
      this.logger[isLost ? 'error' : 'warn'](line);
      return UnreadableRepository();
    }
  }

  /** null when HEAD names no branch that exists. */
  private readRoot(project: ProjectRow): Promise<Folder | null> {
    return this.code.read(project, async (repository) => {
      const head = await resolveRevision(repository, 'HEAD');
      if (head === null) return null;
      return readFolder(repository, { ref: head.name, oid: head.oid, path: '' });
    });
  }
}
