import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { mayEditNote } from '../../notes/note-access.js';
import { NotesService } from '../../notes/notes.service.js';
import { closedReason, CommentForm, type RefusedComment } from '../../notes/pages/note-form.js';
import { DiscussionCard, EditableTimeline } from '../../notes/pages/note-timeline.js';
import { fullPathOf, type ProjectRow } from '../../projects/projects.repository.js';
import { discussionOf } from '../snippet-notes.service.js';
import type { FoundSnippet } from '../snippets.repository.js';

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
