import { Injectable, Logger } from '@nestjs/common';
import { ApiError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import type { Page } from '../../../core/pagination/page.js';
import type { Paging } from '../../../core/pagination/paging.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { GitProcessError } from '../../../git/git-process.js';
import { mayEditNote } from '../../../workspace/notes/note-access.js';
import type { NoteRow } from '../../../workspace/notes/notes.repository.js';
import { LabelsRepository } from '../../../workspace/labels/labels.repository.js';
import { MilestonesRepository } from '../../../workspace/milestones/milestones.repository.js';
import { NotesService } from '../../../workspace/notes/notes.service.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { MergeRequestContents } from '../merge-request-contents.service.js';
import { discussionOf, type DiscussedMergeRequest } from '../merge-request-notes.service.js';
import {
  type MergeRequestView,
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
interface ShownMergeRequest {
  context: MergeRequestPageContext;
  view: MergeRequestView;
  conflicts: string[];
}

type PageContents = Contents & Pick<MergeRequestPageProps, 'commits'>;

const MAX_COMMITS = 10;
const MAX_SHOWN = 50;

/** Makes the page of a merge request. */
@Injectable()
export class MergeRequestPageRenderer {
  private readonly logger = new Logger(MergeRequestPageRenderer.name);

  constructor(
    private readonly details: MergeRequestDetailsService,
    private readonly contents: MergeRequestContents,
    private readonly repository: MergeRequestsRepository,
    private readonly notes: NotesService,
    private readonly labels: LabelsRepository,
    private readonly milestones: MilestonesRepository,
  ) {}

  /** Finds out whether it can be merged; 404 for what the viewer cannot see. */
  async look(
    pageContext: PageContext,
    project: ProjectRow,
    iid: number,
  ): Promise<ShownMergeRequest> {
    const context = mergeRequestPageContext(project, pageContext);
    const view = await this.details.find({ project, viewer: pageContext.viewer, iid });
    const { row, mergeability } = view;
    const hasConflicts = row.state === 'opened' && mergeability.mergeStatus === 'cannot_be_merged';
    const conflicts = hasConflicts ? await this.details.conflicts(row) : [];
    return { context, view, conflicts };
  }

  /** Throws 404 for one that is unknown or that the viewer cannot see. */
  async show(pageContext: PageContext, project: ProjectRow, asked: Asked): Promise<HttpResponse> {
    const shown = await this.look(pageContext, project, asked.iid);
    const { context, view } = shown;
    const { row } = view;
    const discussion = discussionOf(row, project, pageContext.viewer);
    const contents = await this.read(context, row, asked.paging);
    const notes = await this.notes.list(discussion, {}, asked.paging);
    const timeline = timelineOf(shown, discussion, { notes, paging: asked.paging });
    const refused = asked.refused ?? {};
    const content = MergeRequestPage({ pageContext, ...shown, ...contents, timeline, refused });
    const info = mergeRequestPageInfo(context, `${row.title} (!${row.iid})`);
    return pageContext.render(content, info, asked.refused === undefined ? 200 : 422);
  }

  private async read(
    context: MergeRequestPageContext,
    row: FoundMergeRequest,
    paging: Paging,
  ): Promise<PageContents> {
    const { project, viewer } = context;
    const first = paging.first(MAX_SHOWN);
    const milestoneId = row.milestone?.id ?? null;
    const window = { offset: 0, perPage: MAX_COMMITS };
    const [commits, closed, participants, labels, milestones] = await Promise.all([
      ifReadable(this.contents.commits(project, row, window), this.logger),
      ifReadable(this.contents.closedIssues({ project, viewer }, row, first), this.logger),
      this.repository.listParticipants(row.id, first),
      this.labels.byName(project.id, row.labels),
      mayPlanHere(context, row) ? this.milestones.choices(project.id, milestoneId) : [],
    ]);
    const closedIssues = closed?.items ?? null;
    return { commits, closedIssues, participants: participants.items, labels, milestones };
  }
}

function timelineOf(
  { context, view: { row } }: ShownMergeRequest,
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

/**
 * Returns the content of a repository, or null if it is unreadable: the rest of the page does not
 * depend on it.
 */
export async function ifReadable<T>(reading: Promise<T>, logger: Logger): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof GitProcessError) && !(error instanceof ApiError)) throw error;
    logger.warn(`A repository could not be read: ${error.message}`);
    return null;
  }
}
