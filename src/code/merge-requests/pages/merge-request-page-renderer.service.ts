import { Injectable } from '@nestjs/common';
import type { HttpResponse } from '../../../core/http/http-response.js';
import type { Page } from '../../../core/pagination/page.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { OpenRepository } from '../../../git/reading/repository-reader.service.js';
import { mayEditNote } from '../../../workspace/notes/note-access.js';
import type { NoteRow } from '../../../workspace/notes/notes.repository.js';
import { LabelsRepository } from '../../../workspace/labels/labels.repository.js';
import { MilestonesRepository } from '../../../workspace/milestones/milestones.repository.js';
import { NotesService } from '../../../workspace/notes/notes.service.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { type ContentsSummary, MergeRequestContents } from '../merge-request-contents.service.js';
import { discussionOf, type DiscussedMergeRequest } from '../merge-request-notes.service.js';
import {
  type InspectedMergeRequest,
  MergeRequestDetailsService,
} from '../merge-request-details.service.js';
import { MergeRequestsRepository } from '../merge-requests.repository.js';
import type { FoundMergeRequest } from '../sql/merge-requests.js';
import {
  mergeRequestPageContext,
  mayPlanHere,
  type MergeRequestPageContext,
  mergeRequestPageInfo,
} from './merge-request-page-context.js';
import {
  type Contents,
  MergeRequestPage,
  type MergeRequestPageProps,
  type Refused,
} from './merge-request.page.js';

/** Options of the merge request page. */
interface Asked {
  iid: number;
  paging: Paging;
  /** Input of the rejected form. */
  refused?: Refused;
}

/** A merge request, and whether it can be merged. */
interface ShownMergeRequest<T> extends InspectedMergeRequest<T> {
  context: MergeRequestPageContext;
}

type PageContents = Contents & Pick<MergeRequestPageProps, 'commits' | 'counts'>;

const MAX_COMMITS = 10;
const MAX_SHOWN = 50;

/** Makes the page of a merge request. */
@Injectable()
export class MergeRequestPageRenderer {
  constructor(
    private readonly details: MergeRequestDetailsService,
    private readonly contents: MergeRequestContents,
    private readonly repository: MergeRequestsRepository,
    private readonly notes: NotesService,
    private readonly labels: LabelsRepository,
    private readonly milestones: MilestonesRepository,
  ) {}

  /** Finds out whether it can be merged; 404 for what the viewer cannot see. */
  look(
    pageContext: PageContext,
    project: ProjectRow,
    iid: number,
  ): Promise<ShownMergeRequest<null>> {
    return this.inspect(pageContext, { project, iid }, () => Promise.resolve(null));
  }

  /** Throws 404 for one that is unknown or that the viewer cannot see. */
  async show(pageContext: PageContext, project: ProjectRow, asked: Asked): Promise<HttpResponse> {
    const shown = await this.inspect(pageContext, { project, iid: asked.iid }, (repository, row) =>
      this.contents.summary(repository, project, { row, perPage: MAX_COMMITS }),
    );
    const { context, view, content: summary } = shown;
    const { row } = view;
    const discussion = discussionOf(row, project, pageContext.viewer);
    const contents = await this.read(context, { row, summary }, asked.paging);
    const notes = await this.notes.list(discussion, {}, asked.paging);
    const timeline = timelineOf(shown, discussion, { notes, paging: asked.paging });
    const refused = asked.refused ?? {};
    const { conflicts } = shown;
    const props = { pageContext, context, view, conflicts, ...contents, timeline, refused };
    const content = MergeRequestPage(props);
    const info = mergeRequestPageInfo(context, `${row.title} (!${row.iid})`);
    return pageContext.render(content, info, asked.refused === undefined ? 200 : 422);
  }

  private async inspect<T>(
    pageContext: PageContext,
    { project, iid }: { project: ProjectRow; iid: number },
    read: (repository: OpenRepository, row: FoundMergeRequest) => Promise<T>,
  ): Promise<ShownMergeRequest<T>> {
    const context = mergeRequestPageContext(project, pageContext);
    const { viewer } = pageContext;
    return { context, ...(await this.details.inspect({ project, viewer, iid }, read)) };
  }

  private async read(
    context: MergeRequestPageContext,
    { row, summary }: { row: FoundMergeRequest; summary: ContentsSummary | null },
    paging: Paging,
  ): Promise<PageContents> {
    const { project, viewer } = context;
    const first = paging.first(MAX_SHOWN);
    const milestoneId = row.milestone?.id ?? null;
    const iids = summary?.closedIids ?? null;
    const [closed, participants, labels, milestones] = await Promise.all([
      iids && this.contents.visibleIssues(viewer, { projectId: project.id, iids }, first),
      this.repository.listParticipants(row.id, first),
      this.labels.byName(project.id, row.labels),
      mayPlanHere(context, row) ? this.milestones.choices(project.id, milestoneId) : [],
    ]);
    const closedIssues = closed?.items ?? null;
    const commits = summary?.commits ?? null;
    const counts = summary?.counts ?? null;
    const choices = { labels, milestones };
    return { commits, counts, closedIssues, participants: participants.items, ...choices };
  }
}

function timelineOf(
  { context, view: { row } }: ShownMergeRequest<unknown>,
  { reader }: DiscussedMergeRequest,
  shown: { notes: Page<NoteRow>; paging: Paging },
): MergeRequestPageProps['timeline'] {
  const path = `${context.path}/${row.iid}`;
  return {
    ...shown,
    path,
    notesPath: `${path}/notes`,
    mayEdit: (note) => !context.project.archived && mayEditNote(note, reader),
  };
}
