import { Controller, Get, Post } from '@nestjs/common';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../core/params/ids.js';
import { RateLimit } from '../../../core/rate-limits/rate-limit.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import { formErrors } from '../../../core/ui/form-errors.js';
import { FormInput } from '../../../core/ui/form-input.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { assertSentBody, sentBody } from '../../notes/pages/note-form.js';
import { NotePages, type NoteablePage } from '../../notes/pages/note-pages.service.js';
import { ProjectPage } from '../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../projects/project-access.guard.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { SnippetNotesService } from '../snippet-notes.service.js';
import { SnippetRef, type SnippetReference } from '../snippet.decorators.js';
import { SnippetsRepository } from '../snippets.repository.js';
import { SnippetDiscussions } from './snippet-discussions.service.js';
import { projectPageContext, type SnippetPageContext } from './snippet-page-context.js';
import { SnippetPages } from './snippet-pages.service.js';

type Form = Record<string, unknown>;

/** Comments on the page of a project snippet. */
@Controller(atRoot('*project_path/-/snippets/:snippet_id/notes'))
export class SnippetNotePagesController {
  constructor(
    private readonly snippetPages: SnippetPages,
    private readonly snippets: SnippetsRepository,
    private readonly discussions: SnippetNotesService,
    private readonly cards: SnippetDiscussions,
    private readonly pages: NotePages,
  ) {}

  /** Comments on a snippet, or shows its page again with the errors. */
  @Post()
  @RateLimit('create')
  @ProjectPage('read_note', 'signed_in')
  async create(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @SnippetRef('snippet_id') { viewer, snippetId, sender }: SnippetReference,
    @FormInput() form: Form,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const context = changeableContext(project, pageContext);
    const noted = await this.discussions.of(viewer, project, snippetId);
    const body = sentBody(form);
    try {
      assertSentBody(body);
      const { id } = await this.discussions.create(noted, sender, { body });
      return pageContext.redirect(`${context.path}/${snippetId}#note_${id}`);
    } catch (error) {
      const refused = { body, errors: formErrors(error) };
      const snippet = await this.snippets.findVisible(viewer, snippetId, project.id);
      const shown = { paging, refused };
      const discussion = await this.cards.of(pageContext, { project, snippet }, shown);
      return this.snippetPages.show(pageContext, context, { snippet, discussion, status: 422 });
    }
  }

  /** Shows the form for changing a comment. */
  @Get(':note_id/edit')
  @ProjectPage('read_note', 'signed_in')
  async editForm(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @SnippetRef('snippet_id') reference: SnippetReference,
  ): Promise<HttpResponse> {
    return this.pages.editForm(await this.pageOf(pageContext, project, reference), id);
  }

  /** Changes a comment, or shows the form again with the errors. */
  @Post(':note_id/edit')
  @ProjectPage('read_note', 'signed_in')
  async update(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @SnippetRef('snippet_id') reference: SnippetReference,
    @FormInput() form: Form,
  ): Promise<HttpResponse> {
    const page = await this.pageOf(pageContext, project, reference);
    return this.pages.update(page, { ...reference, id }, form);
  }

  /** Deletes a comment. */
  @Post(':note_id/delete')
  @ProjectPage('read_note', 'signed_in')
  async delete(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @SnippetRef('snippet_id') reference: SnippetReference,
  ): Promise<HttpResponse> {
    const page = await this.pageOf(pageContext, project, reference);
    return this.pages.delete(page, { ...reference, id });
  }

  private async pageOf(
    pageContext: PageContext,
    project: ProjectRow,
    { viewer, snippetId }: SnippetReference,
  ): Promise<NoteablePage> {
    const context = changeableContext(project, pageContext);
    const path = `${context.path}/${snippetId}`;
    return {
      pageContext,
      discussion: await this.discussions.of(viewer, project, snippetId),
      path,
      notesPath: `${path}/notes`,
      title: 'Edit comment',
      info: (title) => context.info(title),
    };
  }
}

function changeableContext(project: ProjectRow, { viewer }: PageContext): SnippetPageContext {
  if (!project.snippetsEnabled || project.archived) throw new NotFoundError();
  return projectPageContext(project, viewer);
}
