import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { sliceOf } from '../../../core/pagination/page.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { pathParam } from '../../../core/params/path-param.js';
import { RateLimit } from '../../../core/rate-limits/rate-limit.decorator.js';
import { formErrors } from '../../../core/ui/form-errors.js';
import { FormInput, given } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { listCommits } from '../../../git/reading/commits.js';
import { projectInfo } from '../../../workspace/projects/pages/project-frame.js';
import { ProjectPage } from '../../../workspace/projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { CodeRepository } from '../code.repository.js';
import { codeAddresses } from './addresses.js';
import { emptyPage } from './code-frame.js';
import { CodeReading } from './code-reading.service.js';
import { CommitDiscussions } from './commit-discussion.service.js';
import { CommitPageRenderer } from './commit-page-renderer.service.js';
import { CommitsPage } from './commits.page.js';
import { refChoices } from './ref-choices.js';
import {
  type ActorContext,
  RequestContext,
} from '../../../workspace/spam/request-context.decorator.js';

/** The history of a repository, and single commits. */
@Controller(atRoot('*project_path/-'))
export class CommitPagesController {
  constructor(
    private readonly code: CodeReading,
    private readonly views: CommitPageRenderer,
    private readonly discussions: CommitDiscussions,
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
    if (project.emptyRepo) return emptyPage(view, 'commits');
    const address = pathParam(request, 'ref_path');
    const read = await this.code.readAt(project, address, async (repository, spot) => {
      const { perPage, offset: skip } = paging;
      const place = { revision: spot.oid, path: spot.path };
      const found = await listCommits(repository, { ...place, skip, limit: perPage + 1 });
      const choices = await refChoices(repository);
      return { spot, commits: sliceOf(found, perPage), choices };
    });
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
    return this.views.show({ pageContext, project }, { sha, paging });
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
    if (project.archived) throw new NotFoundError();
    // Browsers send line breaks of text fields as CRLF (HTML standard).
    const body = given(form, 'body').replaceAll('\r\n', '\n');
    const commit = await this.views.find(project, sha);
    try {
      const id = await this.discussions.create(project, commit.id, { body, sender });
      return pageContext.redirect(`${codeAddresses(project).commit(commit.id)}#note_${id}`);
    } catch (error) {
      const refused = { body, errors: formErrors(error) };
      return this.views.show({ pageContext, project }, { sha: commit.id, paging, refused });
    }
  }
}
