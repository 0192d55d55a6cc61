import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import type { Viewer } from '../../../core/access/viewer.js';
import { InvalidParamsError, NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { formErrors, type FormProblems } from '../../../core/ui/form-errors.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { visibilityName } from '../../../identity/members/visibility.js';
import { CreateSnippetDto, UpdateSnippetDto } from '../snippet.dto.js';
import { mayChange } from '../snippet-access.js';
import type { SnippetRequestContext, SnippetReference } from '../snippet.decorators.js';
import { SnippetsService } from '../snippets.service.js';
import { type FoundSnippet, SnippetsRepository } from '../snippets.repository.js';
import { ShownFiles } from './shown-files.service.js';
import {
  fileActions,
  filesToEdit,
  newFiles,
  SnippetFormPage,
  valuesOfForm,
  type SnippetValues,
} from './snippet-form.page.js';
import type { SnippetPageContext } from './snippet-page-context.js';
import { SnippetPage } from './snippet.page.js';
import { SnippetsPage } from './snippets.page.js';

type Form = Record<string, unknown>;

/** Options of a snippet page. */
interface ShownSnippet {
  snippet: FoundSnippet;
  /** Personal snippets have none. */
  discussion?: VNode;
  status?: number;
}

/** Shared actions of the pages of personal and project snippets. */
@Injectable()
export class SnippetPages {
  constructor(
    private readonly repository: SnippetsRepository,
    private readonly files: ShownFiles,
    private readonly snippets: SnippetsService,
  ) {}

  /** The list of the place's snippets that the viewer can see. */
  async list(
    pageContext: PageContext,
    place: SnippetPageContext,
    paging: Paging,
  ): Promise<HttpResponse> {
    const { projectId } = place;
    const selection = projectId === null ? 'own' : { projectId };
    const page = await this.repository.list(pageContext.viewer, selection, { filters: {}, paging });
    return pageContext.render(SnippetsPage({ place, page, paging }), place.info());
  }

  /** Snippet with its files and, in projects, comments. */
  async show(
    pageContext: PageContext,
    place: SnippetPageContext,
    shown: ShownSnippet,
  ): Promise<HttpResponse> {
    const { snippet, discussion, status } = shown;
    const files = await this.files.of(snippet);
    const content = SnippetPage({ pageContext, place, snippet, files, discussion });
    return pageContext.render(content, place.info(snippet.title), status);
  }

  /** The form for a new snippet. */
  newForm(pageContext: PageContext, place: SnippetPageContext): HttpResponse {
    if (!place.mayCreate) throw new NotFoundError();
    const values = { ...valuesOfForm({}), visibility: 'private' };
    return showForm(pageContext, place, { snippetId: null, values, errors: null });
  }

  /** Makes a snippet, or shows the form again with what is wrong. */
  async create(
    pageContext: PageContext,
    place: SnippetPageContext,
    { form, change }: { form: Form; change: SnippetRequestContext },
  ): Promise<HttpResponse> {
    if (!place.mayCreate) throw new NotFoundError();
    const { files, ...values } = valuesOfForm(form);
    try {
      const sent = newFiles(files);
      if (sent.length === 0) throw new InvalidParamsError(['files[content] is missing']);
      const dto = await parseInput(CreateSnippetDto, { ...values, files: sent });
      const { id } = await this.snippets.create({ dto, projectId: place.projectId }, change);
      return pageContext.redirect(`${place.path}/${id}`, { notice: 'Snippet created.' });
    } catch (error) {
      const filled = { values: { files, ...values }, errors: formErrors(error) };
      return showForm(pageContext, place, { snippetId: null, ...filled });
    }
  }

  /** Edit form of a snippet; 404 for users who cannot change it. */
  async editForm(
    pageContext: PageContext,
    place: SnippetPageContext,
    snippet: FoundSnippet,
  ): Promise<HttpResponse> {
    assertMayEdit(snippet, pageContext.viewer);
    const { title, description } = snippet;
    const values = {
      title,
      description: description ?? '',
      visibility: visibilityName(snippet.visibility),
      files: filesToEdit(await this.files.of(snippet)),
    };
    return showForm(pageContext, place, { snippetId: snippet.id, values, errors: null });
  }

  /** Changes a snippet and its files, or shows the form again with what is wrong. */
  async update(
    pageContext: PageContext,
    { place, snippet }: { place: SnippetPageContext; snippet: FoundSnippet },
    { form, change }: { form: Form; change: SnippetReference },
  ): Promise<HttpResponse> {
    assertMayEdit(snippet, pageContext.viewer);
    const { files, ...values } = valuesOfForm(form);
    try {
      const actions = fileActions(files, filesToEdit(await this.files.of(snippet)));
      const input = actions.length === 0 ? values : { ...values, files: actions };
      const dto = await parseInput(UpdateSnippetDto, input);
      await this.snippets.update(dto, change, place.projectId ?? undefined);
    } catch (error) {
      const filled = { values: { files, ...values }, errors: formErrors(error) };
      return showForm(pageContext, place, { snippetId: snippet.id, ...filled });
    }
    return pageContext.redirect(`${place.path}/${snippet.id}`, { notice: 'Snippet changed.' });
  }

  /** Deletes a snippet; shows errors on its page. */
  async delete(
    pageContext: PageContext,
    { place, snippet }: { place: SnippetPageContext; snippet: FoundSnippet },
    change: SnippetReference,
  ): Promise<HttpResponse> {
    assertMayEdit(snippet, pageContext.viewer);
    try {
      await this.snippets.delete(change, place.projectId ?? undefined);
    } catch (error) {
      const { general } = formErrors(error);
      return pageContext.redirect(`${place.path}/${snippet.id}`, { alert: general.join(' ') });
    }
    return pageContext.redirect(place.path, { notice: 'Snippet deleted.' });
  }
}

/** Hides the existence of the page from users who cannot change the snippet. */
function assertMayEdit(snippet: FoundSnippet, viewer: Viewer | null): void {
  if (viewer === null || !mayChange(snippet, viewer)) throw new NotFoundError();
}

function showForm(
  pageContext: PageContext,
  place: SnippetPageContext,
  filled: { snippetId: number | null; values: SnippetValues; errors: FormProblems | null },
): HttpResponse {
  const content = SnippetFormPage({ csrfToken: pageContext.csrfToken, place, ...filled });
  const title = filled.snippetId === null ? 'New snippet' : 'Edit snippet';
  return pageContext.render(content, place.info(title), filled.errors === null ? 200 : 422);
}
