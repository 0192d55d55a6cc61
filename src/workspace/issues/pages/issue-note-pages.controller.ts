import { Controller } from '@nestjs/common';
import { NotFoundError } from '../../../core/errors.js';
import { atRoot } from '../../../core/http/root-path.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { NoteableReference } from '../../notes/noteable.js';
import { NotesService } from '../../notes/notes.service.js';
import { NotePagesController, type NoteablePage } from '../../notes/pages/note-pages.controller.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { IssueNotesService } from '../issue-notes.service.js';
import { issuePageContext, issuePageInfo, issuePath } from './issue-page-context.js';
import { IssuePageRenderer } from './issue-page-renderer.service.js';

/** Comments on the page of an issue. */
@Controller(atRoot('*project_path/-/issues/:issue_iid/notes'))
export class IssueNotePagesController extends NotePagesController {
  constructor(
    notes: NotesService,
    private readonly renderer: IssuePageRenderer,
    private readonly discussions: IssueNotesService,
  ) {
    super(notes);
  }

  protected async pageOf(
    pageContext: PageContext,
    project: ProjectRow,
    reference: NoteableReference,
  ): Promise<NoteablePage> {
    if (project.archived) throw new NotFoundError();
    const context = issuePageContext(project, pageContext);
    const { viewer, number: iid } = reference;
    const discussion = await this.discussions.of(viewer, project, iid);
    const { issue } = discussion;
    return {
      discussion,
      path: issuePath(context, issue),
      notesPath: `${context.issues}/${iid}/notes`,
      title: `Edit comment on #${iid}`,
      info: (title) => issuePageInfo(context, issue.issueType, title),
      create: (comment) => this.discussions.create(discussion, reference, comment),
      showAgain: (refused, paging) =>
        this.renderer.show(pageContext, project, { iid, paging, refused }),
    };
  }
}
