import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Sql } from '../core/sql/sql.service.js';
import { pageOf } from '../code/list-pages.js';
import { ProjectRepository } from '../code/project-repository.service.js';
import { type CommitRecord, countCommits, listCommits } from '../git/reading/commits.js';
import { diffBetween, type DiffSet, EMPTY_TREE } from '../git/reading/diffs.js';
import type { IssueRow } from '../issues/sql/issue-columns.js';
import { IssuesRepository } from '../issues/issues.repository.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { UserBasics } from '../users/user.presenter.js';
import { closedIssueNumbers } from './closing-references.js';
import type { MergeRequestRow } from './merge-request-row.js';

/** The commits that the changes lie between. */
type Range = Pick<MergeRequestRow, 'headSha' | 'baseSha'>;

/** More commits are not counted, and further messages not read. */
const MAX_COUNTED = 10_001;
const MAX_MESSAGES = 100;

const PARTICIPANTS = `users u JOIN (
    SELECT author_id AS id FROM merge_requests WHERE id = $1
    UNION SELECT user_id FROM merge_request_people WHERE merge_request_id = $1
    UNION SELECT author_id FROM notes WHERE merge_request_id = $1 AND NOT system AND NOT internal
  ) involved ON involved.id = u.id`;

/** Commits, changes and participants of a merge request that the viewer can see. */
@Injectable()
export class MergeRequestContents {
  constructor(
    private readonly repositories: ProjectRepository,
    private readonly issues: IssuesRepository,
    private readonly sql: Sql,
  ) {}

  /** Its commits, newest first. */
  commits(
    project: ProjectRow,
    row: Range,
    { offset, perPage }: Pick<Paging, 'offset' | 'perPage'>,
  ): Promise<Page<CommitRecord>> {
    const { headSha, exclude } = range(row);
    return this.repositories.read(project, async (repository) => {
      const [total, commits] = await Promise.all([
        countCommits(repository, { include: [headSha], exclude }, MAX_COUNTED),
        listCommits(repository, { revision: headSha, exclude, skip: offset, limit: perPage }),
      ]);
      return pageOf(commits, offset, total);
    });
  }

  /** Returns its diff against the merge base of its branches. */
  diffs(project: ProjectRow, { baseSha, headSha }: Range): Promise<DiffSet> {
    return this.repositories.read(project, (repository) =>
      diffBetween(repository, baseSha, headSha),
    );
  }

  /** Author, assignees, reviewers, and who commented for everyone to see; in order of their ids. */
  participants({ id }: MergeRequestRow, paging: Paging): Promise<Page<UserBasics>> {
    return this.sql.page<UserBasics>(
      {
        select: 'u.id, u.username, u.name, u.state, u.avatar',
        from: PARTICIPANTS,
        where: 'true',
        orderBy: 'u.id',
        values: [id],
      },
      paging,
    );
  }

  /** Issues that merging closes, of those that the viewer can see. */
  async closedIssues(
    place: { project: ProjectRow; viewer: Viewer | null },
    row: MergeRequestRow,
    paging: Paging,
  ): Promise<Page<IssueRow>> {
    const { project, viewer } = place;
    const iids = row.targetBranch === project.defaultBranch ? await this.named(project, row) : [];
    if (iids.length === 0) return { items: [], hasNext: false, total: 0 };
    return this.issues.list(viewer, { projectId: project.id }, { filters: { iids }, paging });
  }

  private async named(project: ProjectRow, row: MergeRequestRow): Promise<number[]> {
    const { headSha: revision, exclude } = range(row);
    const selection = { revision, exclude, skip: 0, limit: MAX_MESSAGES };
    const commits = await this.repositories.read(project, (repository) =>
      listCommits(repository, selection),
    );
    const texts = [row.title, row.description ?? '', ...commits.map(({ message }) => message)];
    return closedIssueNumbers(texts.join('\n'));
  }
}

function range({ headSha, baseSha }: Range): { headSha: string; exclude: string[] } {
  return { headSha, exclude: baseSha === EMPTY_TREE ? [] : [baseSha] };
}
