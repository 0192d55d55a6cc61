import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { NotFoundError } from '../../core/errors.js';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId, parseIntegerId } from '../../core/params/ids.js';
import { pathParam } from '../../core/params/path-param.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { FormInput } from '../../core/ui/form-input.decorator.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { sendRawFile, SnippetContentService } from '../snippet-content.service.js';
import {
  SnippetContext,
  SnippetRef,
  type SnippetRequestContext,
  type SnippetReference,
} from '../snippet.decorators.js';
import { type FoundSnippet, SnippetsRepository } from '../snippets.repository.js';
import { SnippetDiscussions } from './snippet-discussions.service.js';
import { SnippetPages } from './snippet-pages.service.js';
import { projectPlace, type SnippetPlace } from './snippet-place.js';

/** Snippets of a project; there are no such pages in one that has them turned off. */
@Controller(atRoot('*project_path/-/snippets'))
export class ProjectSnippetPagesController {
  constructor(
    private readonly pages: SnippetPages,
    private readonly repository: SnippetsRepository,
    private readonly content: SnippetContentService,
    private readonly discussions: SnippetDiscussions,
  ) {}

  /** Lists the project's snippets that the viewer can see. */
  @Get()
  @ProjectPage('read_snippet', 'anyone')
  list(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    return this.pages.list(shell, placeIn(project, shell), paging);
  }

  /** Shows the form for a new snippet. */
  @Get('new')
  @ProjectPage('create_snippet', 'signed_in')
  newForm(@Shell() shell: PageShell, @CurrentProject() project: ProjectRow): Answer {
    return this.pages.newForm(shell, placeIn(project, shell));
  }

  /** Makes a snippet in the project. */
  @Post('new')
  @RateLimit('create')
  @ProjectPage('create_snippet', 'signed_in')
  create(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Record<string, unknown>,
    @SnippetContext() change: SnippetRequestContext,
  ): Promise<Answer> {
    return this.pages.create(shell, placeIn(project, shell), { form, change });
  }

  /** Shows a snippet and the comments on it. */
  @Get(':id')
  @ProjectPage('read_snippet', 'anyone')
  async show(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    const { place, snippet } = await this.find(shell, project, id);
    const discussion = await this.discussions.of(shell, { project, snippet }, { paging });
    return this.pages.show(shell, place, { snippet, discussion });
  }

  /** Shows the form for changing a snippet. */
  @Get(':id/edit')
  @ProjectPage('read_snippet', 'signed_in')
  async editForm(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
  ): Promise<Answer> {
    const { place, snippet } = await this.find(shell, project, id);
    return this.pages.editForm(shell, place, snippet);
  }

  /** Changes a snippet and its files. */
  @Post(':id/edit')
  @ProjectPage('read_snippet', 'signed_in')
  async update(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Record<string, unknown>,
    @SnippetRef('id') change: SnippetReference,
  ): Promise<Answer> {
    const found = await this.find(shell, project, change.snippetId);
    return this.pages.update(shell, found, { form, change });
  }

  /** Deletes a snippet. */
  @Post(':id/delete')
  @ProjectPage('read_snippet', 'signed_in')
  async delete(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @SnippetRef('id') change: SnippetReference,
  ): Promise<Answer> {
    return this.pages.delete(shell, await this.find(shell, project, change.snippetId), change);
  }

  /** Sends the content of the first file. */
  @Get(':id/raw')
  @ProjectPage('read_snippet', 'anyone')
  async raw(
    @Shell() { viewer }: PageShell,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
    @Res() response: Response,
  ): Promise<void> {
    const snippet = await this.repository.findVisible(viewer, id, project.id);
    await sendRawFile(response, await this.content.openFirst(snippet));
  }

  /** Sends the content of one file at a branch, tag or commit. */
  @Get(':id/raw/:ref/*file_path')
  @ProjectPage('read_snippet', 'anyone')
  async rawFile(
    @Shell() { viewer }: PageShell,
    @CurrentProject() project: ProjectRow,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const snippet = await this.repository.findVisible(viewer, idIn(request), project.id);
    const [ref, path] = [pathParam(request, 'ref'), pathParam(request, 'file_path')];
    await sendRawFile(response, await this.content.openFile(snippet, ref, path));
  }

  /** The project's snippet with its place; throws 404. */
  private async find(
    shell: PageShell,
    project: ProjectRow,
    id: number,
  ): Promise<{ place: SnippetPlace; snippet: FoundSnippet }> {
    const place = placeIn(project, shell);
    return { place, snippet: await this.repository.findVisible(shell.viewer, id, project.id) };
  }
}

function placeIn(project: ProjectRow, { viewer }: PageShell): SnippetPlace {
  if (!project.snippetsEnabled) throw new NotFoundError();
  return projectPlace(project, viewer);
}

function idIn(request: Request): number {
  return parseIntegerId(pathParam(request, 'id'), 'id');
}
