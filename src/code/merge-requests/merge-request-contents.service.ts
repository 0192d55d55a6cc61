import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/auth-context.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { type CommitRecord, countCommits, listCommits } from '../../git/reading/commits.js';
import { countChanges } from '../../git/reading/changed-files.js';
import { countOf, diffBetween, type DiffSet, EMPTY_TREE } from '../../git/reading/diffs.js';
import type { OpenRepository } from '../../git/reading/repository-reader.service.js';
import type { IssueRow } from '../../workspace/issues/sql/issue-list.js';
import { IssuesRepository } from '../../workspace/issues/issues.repository.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { pageOf, ProjectRepository } from '../repository/project-repository.service.js';
import type { MergeRequestRow } from './sql/merge-requests.js';

/** The commits that the changes lie between. */
type Range = Pick<MergeRequestRow, 'headSha' | 'baseSha'>;

/** Part of its list of commits. */
type Offset = Pick<Paging, 'offset' | 'perPage'>;

/** Counters of a merge request's pages; null for what takes too long to count. */
export interface ContentsCounts {
  commits: number;
  files: number | null;
}

/** The commits of a merge request as its page shows them. */
export interface ContentsSummary {
  counts: ContentsCounts;
  /** Newest first. */
  commits: Page<CommitRecord>;
  /** Numbers of the issues that merging closes. */
  closedIids: number[];
}

/** More commits are not counted, and further messages not read. */
const MAX_COUNTED = 10_001;
const MAX_MESSAGES = 100;

/** Reads the commits, changes and closed issues of a merge request that the viewer can see. */
@Injectable()
export class MergeRequestContents {
  constructor(
    private readonly repositories: ProjectRepository,
    private readonly issues: IssuesRepository,
  ) {}

  /** Returns one page of its commits, newest first. */
  commits(project: ProjectRow, row: Range, paging: Offset): Promise<Page<CommitRecord>> {
    return this.repositories.read(project, (repository) => listPage(repository, row, paging));
  }

  /** Returns the same page with the counters. */
  async countedCommits(
    project: ProjectRow,
    row: Range,
    paging: Offset,
  ): Promise<{ commits: Page<CommitRecord>; counts: ContentsCounts }> {
    return this.repositories.read(project, async (repository) => {
      const [commits, files] = await Promise.all([
        listPage(repository, row, paging),
        countChanges(repository, row.baseSha, row.headSha),
      ]);
      return { commits, counts: { commits: commits.total ?? MAX_COUNTED, files } };
    });
  }

  /** Returns its latest commits, and the numbers of the issues that merging closes. */
  async summary(
    repository: OpenRepository,
    project: ProjectRow,
    { row, perPage }: { row: MergeRequestRow; perPage: number },
  ): Promise<ContentsSummary> {
    const { headSha: revision, exclude } = range(row);
    const closesIssues = row.targetBranch === project.defaultBranch;
    const limit = closesIssues ? MAX_MESSAGES : perPage;
    const [total, files, commits] = await Promise.all([
      countAll(repository, row),
      countChanges(repository, row.baseSha, row.headSha),
      listCommits(repository, { revision, exclude, skip: 0, limit }),
    ]);
    return {
      counts: { commits: total, files },
      commits: pageOf(commits.slice(0, perPage), 0, total),
      closedIids: closesIssues ? issuesClosedBy(row, commits) : [],
    };
  }

  /** Returns its changes since the merge base. */
  diffs(project: ProjectRow, { baseSha, headSha }: Range): Promise<DiffSet> {
    return this.repositories.read(project, (repository) =>
      diffBetween(repository, baseSha, headSha),
    );
  }

  /** Returns the same changes with the counters. */
  async countedDiffs(
    project: ProjectRow,
    row: Range,
  ): Promise<{ diff: DiffSet; counts: ContentsCounts }> {
    return this.repositories.read(project, async (repository) => {
      const [diff, commits] = await Promise.all([
        diffBetween(repository, row.baseSha, row.headSha),
        countAll(repository, row),
      ]);
      return { diff, counts: { commits, files: countOf(diff) } };
    });
  }

  /** Returns one page of the issues that merging closes and that the viewer can see. */
  async closedIssues(
    place: { project: ProjectRow; viewer: Viewer | null },
    row: MergeRequestRow,
    paging: Paging,
  ): Promise<Page<IssueRow>> {
    const { project, viewer } = place;
    const iids = row.targetBranch === project.defaultBranch ? await this.named(project, row) : [];
    return this.visibleIssues(viewer, { projectId: project.id, iids }, paging);
  }

  /** Returns one page of those issues that the viewer can see. */
  async visibleIssues(
    viewer: Viewer | null,
    { projectId, iids }: { projectId: number; iids: number[] },
    paging: Paging,
  ): Promise<Page<IssueRow>> {
    if (iids.length === 0) return { items: [], hasNext: false, total: 0 };
    return this.issues.list(viewer, { projectId }, { filters: { iids }, paging });
  }

  private async named(project: ProjectRow, row: MergeRequestRow): Promise<number[]> {
    const { headSha: revision, exclude } = range(row);
    const selection = { revision, exclude, skip: 0, limit: MAX_MESSAGES };
    const commits = await this.repositories.read(project, (repository) =>
      listCommits(repository, selection),
    );
    return issuesClosedBy(row, commits);
  }
}

async function listPage(
  repository: OpenRepository,
  row: Range,
  { offset, perPage }: Offset,
): Promise<Page<CommitRecord>> {
  const { headSha, exclude } = range(row);
  const [total, commits] = await Promise.all([
    countAll(repository, row),
    listCommits(repository, { revision: headSha, exclude, skip: offset, limit: perPage }),
  ]);
  return pageOf(commits, offset, total);
}

function countAll(repository: OpenRepository, row: Range): Promise<number> {
  const { headSha, exclude } = range(row);
  return countCommits(repository, { include: [headSha], exclude }, MAX_COUNTED);
}

function issuesClosedBy(row: MergeRequestRow, commits: readonly CommitRecord[]): number[] {
  const texts = [row.title, row.description ?? '', ...commits.map(({ message }) => message)];
  return closedIssueNumbers(texts.join('\n'));
}

function range({ headSha, baseSha }: Range): { headSha: string; exclude: string[] } {
  return { headSha, exclude: baseSha === EMPTY_TREE ? [] : [baseSha] };
}

/** Issues of one text that are looked for at most. */
const MAX_ISSUES = 50;

const WORD = '(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?)';
const BETWEEN = String.raw`(?:,[ \t]{0,4}(?:and[ \t]{1,4})?|[ \t]{1,4}and[ \t]{1,4})`;
const CLOSING = new RegExp(
  String.raw`(?<![\w/-])${WORD}:?[ \t]{1,4}(#\d{1,15}(?:${BETWEEN}#\d{1,15}){0,20})(?!\w)`,
  'gi',
);

/**
 * Numbers of the issues that a text closes: `Closes #1`, `fixes: #2, #3 and #4`, in the order in
 * which they are named, each once. Issues of other projects are not meant.
 */
export function closedIssueNumbers(text: string): number[] {
  const numbers = new Set<number>();
  for (const [, list = ''] of text.matchAll(CLOSING)) {
    for (const [, number] of list.matchAll(/#(\d+)/g)) numbers.add(Number(number));
    if (numbers.size >= MAX_ISSUES) break;
  }
  return [...numbers].slice(0, MAX_ISSUES);
}
