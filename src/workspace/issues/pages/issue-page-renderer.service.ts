import { Injectable } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { mayEditNote } from '../../notes/note-access.js';
import type { ProjectRow } from '../../projects/projects.repository.js';
import { IssueNotesService, notedIssue } from '../issue-notes.service.js';
import { IssuesRepository } from '../issues.repository.js';
import type { RefusedComment } from './comment-form.js';
import { issuePath, issuePageContext, placeInfo } from './issue-page-context.js';
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
export class IssuePageRenderer {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly notes: IssueNotesService,
    private readonly sections: IssueSections,
  ) {}

  /** Throws 404 for an issue that is unknown or that the viewer cannot see. */
  async show(pageContext: PageContext, project: ProjectRow, view: View): Promise<HttpResponse> {
    const place = issuePageContext(project, pageContext);
    const issue = await this.issues.findVisible(pageContext.viewer, project.id, view.iid);
    const noted = notedIssue(issue, pageContext.viewer);
    const [notes, sections] = await Promise.all([
      this.notes.list(noted, {}, view.paging),
      this.sections.of({ issue, project, pageContext }),
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
    const content = IssuePage({ pageContext, place, issue, timeline, sections, refused });
    const info = placeInfo(place, issue.issueType, `${issue.title} (#${issue.iid})`);
    return pageContext.render(content, info, refused === null ? 200 : 422);
  }
}
