import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { VNode } from 'preact';
import { NotFoundError, StorageUnavailableError, UnavailableError } from '../../../core/errors.js';
import { counted, countText } from '../../../core/ui/amounts.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Card } from '../../../core/ui/components/content.js';
import { TreeTooLargeError } from '../../../git/reading/contents.js';
import { resolveRevision } from '../../../git/reading/revisions.js';
import { canInProject } from '../../../identity/members/abilities.js';
import {
  ProjectOverviewSections,
  type ShownProject,
} from '../../../workspace/projects/pages/project-frame.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { ProjectRepository } from '../project-repository.service.js';
import { codeAddresses, type CodeAddresses } from './code-frame.js';
import { type Folder, FolderView, readFolder } from './folder-view.js';
import { RefSwitcher } from './ref-switcher.js';

/** Shows the files and the README on the first page of a project. */
@Injectable()
export class RepositoryOverviews implements OnModuleInit {
  private readonly logger = new Logger(RepositoryOverviews.name);

  constructor(
    private readonly repositories: ProjectRepository,
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
      const isKnown =
        isLost ||
        error instanceof UnavailableError ||
        error instanceof NotFoundError ||
        error instanceof TreeTooLargeError;
      if (!isKnown) throw error;
      const line = `The repository of project ${project.id} cannot be read: ${error.message}`;
      this.logger[isLost ? 'error' : 'warn'](line);
      return UnreadableRepository();
    }
  }

  /** null when HEAD names no branch that exists. */
  private readRoot(project: ProjectRow): Promise<Folder | null> {
    return this.repositories.readForPage(project, async (repository) => {
      const head = await resolveRevision(repository, 'HEAD');
      if (head === null) return null;
      const spot = { ref: head.name, oid: head.oid, path: '' };
      return readFolder(repository, spot, { start: 0, end: MAX_ENTRIES });
    });
  }
}

/** The overview shows no more; the rest stands on the page of the folder. */
const MAX_ENTRIES = 100;

interface RepositoryOverviewProps {
  folder: Folder;
  addresses: CodeAddresses;
}

/** The default branch of a repository at a glance. */
function RepositoryOverview({ folder, addresses }: RepositoryOverviewProps): VNode {
  const { spot, entries, choices } = folder;
  const { branchCount, tagCount } = choices;
  const left = entries.length - MAX_ENTRIES;
  return (
    <>
      <div class="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <RefSwitcher
          action={addresses.switcher}
          choices={choices}
          current={spot.ref}
          destination="tree"
          path=""
        />
        <div class="flex flex-wrap gap-2">
          <ButtonLink href={addresses.branches} variant="ghost">
            {branchCount === 1 ? '1 branch' : `${branchCount} branches`}
          </ButtonLink>
          <ButtonLink href={addresses.tags} variant="ghost">
            {counted(tagCount, 'tag')}
          </ButtonLink>
          <ButtonLink href={addresses.commits(spot.ref)} variant="outline">
            History
          </ButtonLink>
        </div>
      </div>
      <FolderView folder={folder} addresses={addresses}>
        {left > 0 && (
          <p>
            <a href={addresses.tree(spot.ref)}>{`${countText(left)} more`}</a>
          </p>
        )}
      </FolderView>
    </>
  );
}

/** Stands in its place while it cannot be read. */
function UnreadableRepository(): VNode {
  return (
    <Card title="Files">
      <p class="text-muted-foreground">Repository temporarily unavailable. Try again later.</p>
    </Card>
  );
}
