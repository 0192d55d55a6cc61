import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/auth-context.js';
import type { Reference, ReferenceKind } from '../../core/ui/references/reference.js';
import { ReferenceLookup, type ReferenceTarget } from '../../core/ui/references/page-references.js';
import { type CommitRecord, findCommits } from '../../git/reading/commits.js';
import { RepositoryReader } from '../../git/reading/repository-reader.service.js';
import { type ReferenceRow, ReferencesRepository } from './references.repository.js';

/** Commits that a page looks up, and the repositories that it opens for them. */
const MAX_COMMITS = 30;
const MAX_REPOSITORIES = 3;
const SHOWN_DIGITS = 8;

/** Pages and signs of numbered things. */
const PAGES: Partial<Record<ReferenceKind, { path: string; sign: string }>> = {
  issue: { path: 'issues', sign: '#' },
  merge_request: { path: 'merge_requests', sign: '!' },
  snippet: { path: 'snippets', sign: '$' },
  milestone: { path: 'milestones', sign: '%' },
};

/** Finds what the texts of a page refer to: by one statement, and one git process per repository. */
@Injectable()
export class StoredReferences extends ReferenceLookup {
  constructor(
    private readonly repository: ReferencesRepository,
    private readonly reader: RepositoryReader,
  ) {
    super();
  }

  override async find(
    viewer: Viewer | null,
    references: readonly Reference[],
  ): Promise<(ReferenceTarget | null)[]> {
    const rows = await this.repository.find(viewer, references);
    const targets = new Map<number, ReferenceTarget>();
    for (const row of rows) {
      const { kind } = references[row.at] ?? {};
      // A name can be that of a user or a group, never both.
      if (kind !== undefined && kind !== 'commit') targets.set(row.at, targetOf(kind, row));
    }
    await this.addCommits(targets, references, rows);
    return references.map((_, at) => targets.get(at) ?? null);
  }

  /** Repositories are opened only for viewers who can read their code. */
  private async addCommits(
    targets: Map<number, ReferenceTarget>,
    references: readonly Reference[],
    rows: readonly ReferenceRow[],
  ): Promise<void> {
    const readable = rows
      .filter(({ at }) => references[at]?.kind === 'commit')
      .slice(0, MAX_COMMITS);
    const projects = [...new Set(readable.map(({ projectId }) => projectId ?? 0))];
    const readings = projects.slice(0, MAX_REPOSITORIES).map(async (projectId) => {
      const ofProject = readable.filter((row) => row.projectId === projectId);
      const ids = ofProject.map(({ at }) => references[at]?.name ?? '');
      const commits = await this.commitsOf(projectId, ids);
      for (const { at, project } of ofProject) {
        const commit = commits.get(references[at]?.name ?? '');
        if (commit !== undefined) targets.set(at, commitTarget(commit, project ?? ''));
      }
    });
    await Promise.all(readings);
  }

  /** A page does not fail because a repository is busy or away. */
  private commitsOf(projectId: number, ids: readonly string[]): Promise<Map<string, CommitRecord>> {
    return this.reader
      .read({ kind: 'project', containerId: projectId }, (repository) =>
        findCommits(repository, ids),
      )
      .catch(() => new Map<string, CommitRecord>());
  }
}

function targetOf(kind: ReferenceKind, row: ReferenceRow): ReferenceTarget {
  const { title, project, number, path } = row;
  const page = PAGES[kind];
  if (page === undefined) return { href: `/${path}`, title, project: null, text: '', state: null };
  const name = kind === 'milestone' ? title : String(number);
  const state = row.state === 'closed' || row.state === 'merged' ? row.state : null;
  const href = `/${project}/-/${page.path}/${number}`;
  return { href, title, project, text: page.sign + name, state };
}

function commitTarget({ id, title }: CommitRecord, project: string): ReferenceTarget {
  const text = id.slice(0, SHOWN_DIGITS);
  return { href: `/${project}/-/commit/${id}`, title, project, text, state: null };
}
