import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { sliceOf } from '../../../core/pagination/page.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { pathParam } from '../../../core/params/ids.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { formErrors, FormInput, given } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { type CommitRecord, listCommits, readCommit } from '../../../git/reading/commits.js';
import { diffOfCommit } from '../../../git/reading/diffs.js';
import type { OpenRepository } from '../../../git/reading/repository-reader.service.js';
import { resolveRevision } from '../../../git/reading/revisions.js';
import { seesInternalNotes } from '../../../workspace/notes/note-access.js';
import { NotesRepository } from '../../../workspace/notes/notes.repository.js';
import { assertSentBody } from '../../../workspace/notes/pages/note-form.js';
import { projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import {
  type ActorContext,
  RequestContext,
} from '../../../workspace/spam/request-context.decorator.js';
import { CodeRepository } from '../code.repository.js';
import { CommitCommentsRepository } from '../commit-comments.repository.js';
import { CommitComments } from '../commit-comments.service.js';
import { ProjectRepository } from '../project-repository.service.js';
import { codeAddresses, type CodeView, emptyPage } from './code-frame.js';
import { type CommitDiscussion, CommitPage, type RefusedComment } from './commit.page.js';
import { PipelinesPage } from './commit-pipelines.js';
import { CommitsPage, shortId, titleOf } from './commits.page.js';
import { refChoices } from './ref-switcher.js';

/** Options of the commit page. */
interface View {
  /** Its id or the beginning of it, or a branch or tag. */
  sha: string;
  paging: Paging;
  /** Input of a rejected comment form. */
  refused?: RefusedComment;
}

/** The history of a repository, and single commits. */
@Controller(atRoot('*project_path/-'))
export class CommitPagesController {
  constructor(
    private readonly repositories: ProjectRepository,
    private readonly comments: CommitComments,
    private readonly commentRows: CommitCommentsRepository,
    private readonly notes: NotesRepository,
    private readonly pipelines: CodeRepository,
  ) {}

  /** Lists the commits of a branch, tag or commit, or those of a path in it. */
  @Get(['commits', 'commits/*ref_path'])
  @ProjectPage('read_code', 'anyone')
  async list(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Req() request: Request,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const view = { pageContext, project };
    if (project.emptyRepo) return emptyPage(view, 'Commits');
    const address = pathParam(request, 'ref_path');
    const read = await this.repositories.readForPageAt(
      project,
      address,
      async (repository, spot) => {
        const { perPage, offset: skip } = paging;
        const place = { revision: spot.oid, path: spot.path };
        const found = await listCommits(repository, { ...place, skip, limit: perPage + 1 });
        const choices = await refChoices(repository);
        return { spot, commits: sliceOf(found, perPage), choices };
      },
    );
    const shas = read.commits.items.map(({ id }) => id);
    const states = await this.pipelines.findCommitStates(project.id, shas);
    const title = read.spot.path === '' ? 'Commits' : `History of ${read.spot.path}`;
    return pageContext.render(
      CommitsPage({ ...view, ...read, states, paging }),
      projectInfo(project, title),
    );
  }

  /** Shows a commit with its diff and comments. */
  @Get('commit/:sha')
  @ProjectPage('read_code', 'anyone')
  show(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Param('sha') sha: string,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.render({ pageContext, project }, { sha, paging });
  }

  /** Lists the pipelines of a commit with their statuses. */
  @Get('commit/:sha/pipelines')
  @ProjectPage('read_code', 'anyone')
  async listPipelines(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Param('sha') sha: string,
  ): Promise<HttpResponse> {
    const commit = await this.repositories.readForPage(project, (repository) =>
      commitAt(repository, sha),
    );
    const pipelines = await this.pipelines.listCommitPipelines(project.id, commit.id);
    const content = PipelinesPage({ commit, addresses: codeAddresses(project), pipelines });
    const title = `Pipelines of ${titleOf(commit)} (${shortId(commit.id)})`;
    return pageContext.render(content, projectInfo(project, title));
  }

  /** Comments on a commit, or shows its page again with what is wrong. */
  @Post('commit/:sha/comments')
  @RateLimit('create')
  @ProjectPage('comment_code', 'signed_in')
  async comment(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Param('sha') sha: string,
    @RequestContext() { sender }: ActorContext,
    @FormInput() form: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    if (project.archived || !project.repositoryEnabled) throw new NotFoundError();
    // Browsers send line breaks of text fields as CRLF (HTML standard).
    const body = given(form, 'body').replaceAll('\r\n', '\n');
    try {
      assertSentBody(body);
      const made = await this.comments.create(project, sha, { body, sender, line: null });
      return pageContext.redirect(`${codeAddresses(project).commit(made.sha)}#note_${made.id}`);
    } catch (error) {
      const refused = { body, errors: formErrors(error) };
      return this.render({ pageContext, project }, { sha, paging, refused });
    }
  }

  /** Throws 404 when the repository has no such commit. */
  private async render(view: CodeView, { sha, paging, refused }: View): Promise<HttpResponse> {
    const { pageContext, project } = view;
    const { commit, diff } = await this.repositories.readForPage(project, async (repository) => {
      const commit = await commitAt(repository, sha);
      return { commit, diff: await diffOfCommit(repository, commit) };
    });
    const [discussion, pipelines] = await Promise.all([
      this.discussionOf(view, commit.id, paging),
      this.pipelines.listCommitPipelines(project.id, commit.id),
    ]);
    const content = CommitPage({
      ...view,
      commit,
      diff,
      pipelines,
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

  /** Returns a page of a commit's comments, newest first, and the diff lines they refer to. */
  private async discussionOf(
    { pageContext, project }: CodeView,
    sha: string,
    paging: Paging,
  ): Promise<CommitDiscussion> {
    const reader = { viewer: pageContext.viewer, accessLevel: project.accessLevel };
    const noteable = { kind: 'commit', id: null, iid: null, projectId: project.id, sha } as const;
    const selection = { filters: {}, seesInternal: seesInternalNotes(reader) };
    const notes = await this.notes.list(noteable, selection, paging);
    return { notes, lines: await this.commentRows.findLines(notes.items.map(({ id }) => id)) };
  }
}

async function commitAt(repository: OpenRepository, sha: string): Promise<CommitRecord> {
  const found = await resolveRevision(repository, sha);
  const commit = found === null ? null : await readCommit(repository, found.oid);
  if (commit === null) throw new NotFoundError();
  return commit;
}
