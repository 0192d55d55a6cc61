import { Injectable } from '@nestjs/common';
import type { Answer } from '../../core/http/answer.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { mayEditNote } from '../../notes/note-access.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { IssueNotesService, notedIssue } from '../issue-notes.service.js';
import { IssuesRepository } from '../issues.repository.js';
import type { RefusedComment } from './comment-form.js';
import { issuePath, issuePlace, placeInfo } from './issue-place.js';
import { IssueSections } from './issue-sections.service.js';
import { IssuePage } from './issue.page.js';

/** Options of the issue page. */
interface View {
  iid: number;
  paging: Paging;
  /** Input of a rejected comment form. */
  refused?: RefusedComment;
}

/** Makes the page of an issue. */
@Injectable()
export class IssueViews {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly notes: IssueNotesService,
    private readonly sections: IssueSections,
  ) {}

  /** Throws 404 for an issue that is unknown or that the viewer cannot see. */
  async show(shell: PageShell, project: ProjectRow, view: View): Promise<Answer> {
    const place = issuePlace(project, shell);
    const issue = await this.issues.findVisible(shell.viewer, project.id, view.iid);
    const noted = notedIssue(issue, shell.viewer);
    const [notes, sections] = await Promise.all([
      this.notes.list(noted, {}, view.paging),
      this.sections.of({ issue, project, shell }),
    ]);
    const timeline = {
      notes,
      paging: view.paging,
      path: issuePath(place, issue),
      notesPath: `${place.issues}/${issue.iid}/notes`,
      mayEdit: (note: (typeof notes.items)[number]) =>
        !project.archived && mayEditNote(note, noted.reader),
    };
    const refused = view.refused ?? null;
    const content = IssuePage({ shell, place, issue, timeline, sections, refused });
    const info = placeInfo(place, issue.issueType, `${issue.title} (#${issue.iid})`);
    return shell.page(content, info, refused === null ? 200 : 422);
  }
}
