import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import type { Viewer } from '../../../core/access/auth-context.js';
import { InvalidParamsError, NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { FormErrors } from '../../../core/ui/components/form.js';
import { formErrors, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { visibilityName } from '../../../identity/members/visibility.js';
import { mayEditNote } from '../../notes/note-access.js';
import { NotesService } from '../../notes/notes.service.js';
import { closedReason, CommentForm, type RefusedComment } from '../../notes/pages/note-form.js';
import { DiscussionCard, EditableTimeline } from '../../notes/pages/note-timeline.js';
import { fullPathOf, type ProjectRow } from '../../projects/projects.repository.js';
import { mayChange, type SnippetReference, type SnippetRequestContext } from '../snippet-access.js';
import { CreateSnippetDto, UpdateSnippetDto } from '../snippet.dto.js';
import { type FoundSnippet, SnippetsRepository } from '../snippets.repository.js';
import { SnippetContentService } from '../snippet-content.service.js';
import { discussionOf, SnippetsService } from '../snippets.service.js';
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
    private readonly files: SnippetContentService,
    private readonly snippets: SnippetsService,
  ) {}

  /** The list of the context's snippets that the viewer can see. */
  async list(
    pageContext: PageContext,
    context: SnippetPageContext,
    paging: Paging,
  ): Promise<HttpResponse> {
    const { projectId } = context;
    const selection = projectId === null ? 'own' : { projectId };
    const page = await this.repository.list(pageContext.viewer, selection, { filters: {}, paging });
    return pageContext.render(SnippetsPage({ context, page, paging }), context.info());
  }

  /** Snippet with its files and, in projects, comments. */
  async show(
    pageContext: PageContext,
    context: SnippetPageContext,
    shown: ShownSnippet,
  ): Promise<HttpResponse> {
    const { snippet, discussion, status } = shown;
    const files = await this.files.readTexts(snippet);
    const content = SnippetPage({ pageContext, context, snippet, files, discussion });
    return pageContext.render(content, context.info(snippet.title), status);
  }

  /** The form for a new snippet. */
  newForm(pageContext: PageContext, context: SnippetPageContext): HttpResponse {
    if (!context.mayCreate) throw new NotFoundError();
    const values = { ...valuesOfForm({}), visibility: 'private' };
    return showForm(pageContext, context, { snippetId: null, values, errors: null });
  }

  /** Creates a snippet, or shows the form again with the errors. */
  async create(
    pageContext: PageContext,
    context: SnippetPageContext,
    { form, change }: { form: Form; change: SnippetRequestContext },
  ): Promise<HttpResponse> {
    if (!context.mayCreate) throw new NotFoundError();
    const { files, ...values } = valuesOfForm(form);
    try {
      const sent = newFiles(files);
      if (sent.length === 0) throw new InvalidParamsError(['files[content] is missing']);
      const dto = await parseInput(CreateSnippetDto, { ...values, files: sent });
      const { id } = await this.snippets.create({ dto, projectId: context.projectId }, change);
      return pageContext.redirect(`${context.path}/${id}`, { notice: 'Snippet created.' });
    } catch (error) {
      const filled = { values: { files, ...values }, errors: formErrors(error) };
      return showForm(pageContext, context, { snippetId: null, ...filled });
    }
  }

  /** Edit form of a snippet; 404 for users who cannot change it. */
  async editForm(
    pageContext: PageContext,
    context: SnippetPageContext,
    snippet: FoundSnippet,
  ): Promise<HttpResponse> {
    assertMayEdit(snippet, pageContext.viewer);
    const { title, description } = snippet;
    const values = {
      title,
      description: description ?? '',
      visibility: visibilityName(snippet.visibility),
      files: filesToEdit(await this.files.readTexts(snippet)),
    };
    return showForm(pageContext, context, { snippetId: snippet.id, values, errors: null });
  }

  /** Changes a snippet and its files, or shows the form again with the errors. */
  async update(
    pageContext: PageContext,
    { context, snippet }: { context: SnippetPageContext; snippet: FoundSnippet },
    { form, change }: { form: Form; change: SnippetReference },
  ): Promise<HttpResponse> {
    assertMayEdit(snippet, pageContext.viewer);
    const { files, ...values } = valuesOfForm(form);
    try {
      const actions = fileActions(files, filesToEdit(await this.files.readTexts(snippet)));
      const input = actions.length === 0 ? values : { ...values, files: actions };
      const dto = await parseInput(UpdateSnippetDto, input);
      await this.snippets.update(dto, change, context.projectId ?? undefined);
    } catch (error) {
      const filled = { values: { files, ...values }, errors: formErrors(error) };
      return showForm(pageContext, context, { snippetId: snippet.id, ...filled });
    }
    return pageContext.redirect(`${context.path}/${snippet.id}`, { notice: 'Snippet changed.' });
  }

  /** Deletes a snippet; shows errors on its page. */
  async delete(
    pageContext: PageContext,
    { context, snippet }: { context: SnippetPageContext; snippet: FoundSnippet },
    change: SnippetReference,
  ): Promise<HttpResponse> {
    assertMayEdit(snippet, pageContext.viewer);
    try {
      await this.snippets.delete(change, context.projectId ?? undefined);
    } catch (error) {
      const { general } = formErrors(error);
      return pageContext.redirect(`${context.path}/${snippet.id}`, { alert: general.join(' ') });
    }
    return pageContext.redirect(context.path, { notice: 'Snippet deleted.' });
  }
}

/** Hides the existence of the page from users who cannot change the snippet. */
function assertMayEdit(snippet: FoundSnippet, viewer: Viewer | null): void {
  if (viewer === null || !mayChange(snippet, viewer)) throw new NotFoundError();
}

function showForm(
  pageContext: PageContext,
  context: SnippetPageContext,
  filled: { snippetId: number | null; values: SnippetValues; errors: FormProblems | null },
): HttpResponse {
  const content = SnippetFormPage({ csrfToken: pageContext.csrfToken, context, ...filled });
  const title = filled.snippetId === null ? 'New snippet' : 'Edit snippet';
  return pageContext.render(content, context.info(title), filled.errors === null ? 200 : 422);
}

/** Paging of the comments, and the input of a rejected comment form. */
interface View {
  paging: Paging;
  refused?: RefusedComment;
}

/** Renders the comments on the page of a project snippet. */
@Injectable()
export class SnippetDiscussions {
  constructor(private readonly notes: NotesService) {}

  /** The viewer of the page was found to see the snippet. */
  async of(
    pageContext: PageContext,
    { project, snippet }: { project: ProjectRow; snippet: FoundSnippet },
    { paging, refused }: View,
  ): Promise<VNode> {
    const discussion = discussionOf(snippet, project, pageContext.viewer);
    const path = `/${fullPathOf(project)}/-/snippets/${snippet.id}`;
    const notes = await this.notes.list(discussion, {}, paging);
    return (
      <>
        <FormErrors errors={refused?.errors} />
        <DiscussionCard
          title="Comments"
          notes={notes}
          timeline={
            <EditableTimeline
              notes={notes}
              paging={paging}
              path={path}
              notesPath={`${path}/notes`}
              csrfToken={pageContext.csrfToken}
              mayEdit={(note) => !project.archived && mayEditNote(note, discussion.reader)}
            />
          }
          form={
            <CommentForm
              pageContext={pageContext}
              action={`${path}/notes`}
              closed={closedReason(discussion, project)}
              refused={refused ?? null}
            />
          }
        />
      </>
    );
  }
}
