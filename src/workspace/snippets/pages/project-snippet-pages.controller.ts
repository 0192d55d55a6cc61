import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId, parseIntegerId, pathParam } from '../../../core/params/ids.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { FormInput } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import type { NoteableReference } from '../../notes/noteable.js';
import { NotesService } from '../../notes/notes.service.js';
import { NotePagesController, type NoteablePage } from '../../notes/pages/note-pages.controller.js';
import { NO_COMMANDS } from '../../notes/quick-actions.js';
import { CurrentProject, ProjectPage } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import {
  SnippetContext,
  SnippetRef,
  type SnippetRequestContext,
  type SnippetReference,
} from '../snippet-access.js';
import { sendRawFile, SnippetContentService } from '../snippet-content.service.js';
import { type FoundSnippet, SnippetsRepository } from '../snippets.repository.js';
import { SnippetNotesService } from '../snippets.service.js';
import { projectPageContext, type SnippetPageContext } from './snippet-page-context.js';
import { SnippetDiscussions, SnippetPages } from './snippet-pages.service.js';

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
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    return this.pages.list(pageContext, placeIn(project, pageContext), paging);
  }

  @Get('new')
  @ProjectPage('create_snippet', 'signed_in')
  newForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
  ): HttpResponse {
    return this.pages.newForm(pageContext, placeIn(project, pageContext));
  }

  /** Creates a snippet in the project. */
  @Post('new')
  @RateLimit('create')
  @ProjectPage('create_snippet', 'signed_in')
  create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Record<string, unknown>,
    @SnippetContext() change: SnippetRequestContext,
  ): Promise<HttpResponse> {
    return this.pages.create(pageContext, placeIn(project, pageContext), { form, change });
  }

  /** Shows a snippet and the comments on it. */
  @Get(':id')
  @ProjectPage('read_snippet', 'anyone')
  async show(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const { context, snippet } = await this.find(pageContext, project, id);
    const discussion = await this.discussions.of(pageContext, { project, snippet }, { paging });
    return this.pages.show(pageContext, context, { snippet, discussion });
  }

  @Get(':id/edit')
  @ProjectPage('read_snippet', 'signed_in')
  async editForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
  ): Promise<HttpResponse> {
    const { context, snippet } = await this.find(pageContext, project, id);
    return this.pages.editForm(pageContext, context, snippet);
  }

  /** Changes a snippet and its files. */
  @Post(':id/edit')
  @ProjectPage('read_snippet', 'signed_in')
  async update(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @FormInput() form: Record<string, unknown>,
    @SnippetRef('id') change: SnippetReference,
  ): Promise<HttpResponse> {
    const found = await this.find(pageContext, project, change.snippetId);
    return this.pages.update(pageContext, found, { form, change });
  }

  @Post(':id/delete')
  @ProjectPage('read_snippet', 'signed_in')
  async delete(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @SnippetRef('id') change: SnippetReference,
  ): Promise<HttpResponse> {
    return this.pages.delete(
      pageContext,
      await this.find(pageContext, project, change.snippetId),
      change,
    );
  }

  /** Sends the content of the first file. */
  @Get(':id/raw')
  @ProjectPage('read_snippet', 'anyone')
  async raw(
    @Context() { viewer }: PageContext,
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
    @Context() { viewer }: PageContext,
    @CurrentProject() project: ProjectRow,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const snippet = await this.repository.findVisible(viewer, idIn(request), project.id);
    const [ref, path] = [pathParam(request, 'ref'), pathParam(request, 'file_path')];
    await sendRawFile(response, await this.content.openFile(snippet, ref, path));
  }

  /** The project's snippet with its context; throws 404. */
  private async find(
    pageContext: PageContext,
    project: ProjectRow,
    id: number,
  ): Promise<{ context: SnippetPageContext; snippet: FoundSnippet }> {
    const context = placeIn(project, pageContext);
    return {
      context,
      snippet: await this.repository.findVisible(pageContext.viewer, id, project.id),
    };
  }
}

function placeIn(project: ProjectRow, { viewer }: PageContext): SnippetPageContext {
  if (!project.snippetsEnabled) throw new NotFoundError();
  return projectPageContext(project, viewer);
}

function idIn(request: Request): number {
  return parseIntegerId(pathParam(request, 'id'), 'id');
}

/** Comments on the page of a project snippet. */
@Controller(atRoot('*project_path/-/snippets/:snippet_id/notes'))
export class SnippetNotePagesController extends NotePagesController {
  constructor(
    notes: NotesService,
    private readonly snippetPages: SnippetPages,
    private readonly snippets: SnippetsRepository,
    private readonly discussions: SnippetNotesService,
    private readonly cards: SnippetDiscussions,
  ) {
    super(notes);
  }

  /** Comments have neither commands nor an internal form. */
  protected async pageOf(
    pageContext: PageContext,
    project: ProjectRow,
    { viewer, number: id, sender }: NoteableReference,
  ): Promise<NoteablePage> {
    if (!project.snippetsEnabled || project.archived) throw new NotFoundError();
    const context = projectPageContext(project, pageContext.viewer);
    const discussion = await this.discussions.of(viewer, project, id);
    const path = `${context.path}/${id}`;
    return {
      discussion,
      path,
      notesPath: `${path}/notes`,
      title: 'Edit comment',
      info: (title) => context.info(title),
      create: async ({ body }) => {
        const note = await this.discussions.create(discussion, sender, { body });
        return { note, commands: NO_COMMANDS };
      },
      showAgain: async (refused, paging) => {
        const snippet = await this.snippets.findVisible(viewer, id, project.id);
        const shown = { paging, refused };
        const card = await this.cards.of(pageContext, { project, snippet }, shown);
        return this.snippetPages.show(pageContext, context, {
          snippet,
          discussion: card,
          status: 422,
        });
      },
    };
  }
}
