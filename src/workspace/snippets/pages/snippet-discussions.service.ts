import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { mayEditNote } from '../../notes/note-access.js';
import { fullPathOf, type ProjectRow } from '../../projects/projects.repository.js';
import { notedSnippet, SnippetNotesService } from '../snippet-notes.service.js';
import type { FoundSnippet } from '../snippets.repository.js';
import { SnippetDiscussion, type RefusedComment } from './snippet-discussion.js';

/** Which of the comments are shown, and what was typed into the form when it was refused. */
interface View {
  paging: Paging;
  refused?: RefusedComment;
}

/** Makes the part of a snippet's page that has the comments. */
@Injectable()
export class SnippetDiscussions {
  constructor(private readonly notes: SnippetNotesService) {}

  /** Of a snippet of the project that the viewer was found to see. */
  async of(
    { viewer, csrfToken }: PageContext,
    { project, snippet }: { project: ProjectRow; snippet: FoundSnippet },
    { paging, refused }: View,
  ): Promise<VNode> {
    const noted = notedSnippet(snippet, project.id, viewer);
    const notes = await this.notes.list(noted, {}, paging);
    return SnippetDiscussion({
      csrfToken,
      path: `/${fullPathOf(project)}/-/snippets/${snippet.id}`,
      isSignedIn: viewer !== null,
      isArchived: project.archived,
      refused: refused ?? null,
      notes,
      paging,
      mayEdit: (note) => !project.archived && mayEditNote(note, noted.reader),
    });
  }
}
