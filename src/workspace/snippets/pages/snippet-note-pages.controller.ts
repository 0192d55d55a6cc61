import { Controller } from '@nestjs/common';
import { NotFoundError } from '../../../core/errors.js';
import { atRoot } from '../../../core/http/paths.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { NoteableReference } from '../../notes/noteable.js';
import { NotesService } from '../../notes/notes.service.js';
import { NotePagesController, type NoteablePage } from '../../notes/pages/note-pages.controller.js';
import { NO_COMMANDS } from '../../notes/quick-actions.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { SnippetNotesService } from '../snippet-notes.service.js';
import { SnippetsRepository } from '../snippets.repository.js';
import { SnippetDiscussions, SnippetPages } from './snippet-pages.service.js';
import { projectPageContext } from './snippets.page.js';

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
