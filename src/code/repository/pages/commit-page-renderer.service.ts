import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { type CommitRecord, readCommit } from '../../../git/reading/commits.js';
import { diffOfCommit } from '../../../git/reading/diffs.js';
import type { OpenRepository } from '../../../git/reading/repository-reader.service.js';
import { resolveRevision } from '../../../git/reading/revisions.js';
import { projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { CodeRepository } from '../code.repository.js';
import { CodeReading } from './code-reading.service.js';
import type { CodeView } from './code-frame.js';
import { CommitDiscussions } from './commit-discussion.service.js';
import type { RefusedComment } from './commit-comments.js';
import { shortId, titleOf } from './commit-item.js';
import { CommitPage } from './commit.page.js';

/** Options of the commit page. */
interface View {
  /** Its id or the beginning of it, or a branch or tag. */
  sha: string;
  paging: Paging;
  /** Input of a rejected comment form. */
  refused?: RefusedComment;
}

/** Makes the page of a commit. */
@Injectable()
export class CommitPageRenderer {
  constructor(
    private readonly code: CodeReading,
    private readonly discussions: CommitDiscussions,
    private readonly pipelines: CodeRepository,
  ) {}

  /** Throws 404 when the repository has no such commit. */
  async show(view: CodeView, { sha, paging, refused }: View): Promise<HttpResponse> {
    const { pageContext, project } = view;
    const { commit, diff } = await this.code.read(project, async (repository) => {
      const commit = await commitAt(repository, sha);
      return { commit, diff: await diffOfCommit(repository, commit) };
    });
    const [discussion, statuses] = await Promise.all([
      this.discussions.of(view, commit.id, paging),
      this.pipelines.listCommitStatuses(project.id, commit.id),
    ]);
    const content = CommitPage({
      ...view,
      commit,
      diff,
      statuses,
      discussion,
      paging,
      refused: refused ?? null,
    });
    const title = `${titleOf(commit)} (${shortId(commit.id)})`;
    return pageContext.render(
      content,
      projectInfo(project, title),
      refused === undefined ? 200 : 422,
    );
  }

  /** The commit that an address names; throws 404 when there is none. */
  find(project: ProjectRow, sha: string): Promise<CommitRecord> {
    return this.code.read(project, (repository) => commitAt(repository, sha));
  }
}

async function commitAt(repository: OpenRepository, sha: string): Promise<CommitRecord> {
  const found = await resolveRevision(repository, sha);
  const commit = found === null ? null : await readCommit(repository, found.oid);
  if (commit === null) throw new NotFoundError();
  return commit;
}
