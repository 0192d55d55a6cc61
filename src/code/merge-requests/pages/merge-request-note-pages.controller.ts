import { Controller } from '@nestjs/common';
import { atRoot } from '../../../core/http/paths.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { NoteableReference } from '../../../workspace/notes/noteable.js';
import { NotesService } from '../../../workspace/notes/notes.service.js';
import {
  NotePagesController,
  type NoteablePage,
} from '../../../workspace/notes/pages/note-pages.controller.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { MergeRequestNotesService } from '../merge-request-notes.service.js';
import { changeablePageContext, mergeRequestPageInfo } from './merge-request-page-context.js';
import { MergeRequestPageRenderer } from './merge-request-page-renderer.service.js';

/** Comments on the page of a merge request. */
@Controller(atRoot('*project_path/-/merge_requests/:merge_request_iid/notes'))
export class MergeRequestNotePagesController extends NotePagesController {
  constructor(
    notes: NotesService,
    private readonly renderer: MergeRequestPageRenderer,
    private readonly discussions: MergeRequestNotesService,
  ) {
    super(notes);
  }

  protected async pageOf(
    pageContext: PageContext,
    project: ProjectRow,
    { viewer, number: iid, sender }: NoteableReference,
  ): Promise<NoteablePage> {
    const context = changeablePageContext(project, pageContext);
    const discussion = await this.discussions.of(viewer, project, iid);
    const path = `${context.path}/${iid}`;
    return {
      discussion,
      path,
      notesPath: `${path}/notes`,
      title: `Edit comment on !${iid}`,
      info: (title) => mergeRequestPageInfo(context, title),
      create: (comment) => this.discussions.create(discussion, sender, comment),
      showAgain: (comment, paging) =>
        this.renderer.show(pageContext, project, { iid, paging, refused: { comment } }),
    };
  }
}
