import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/auth-context.js';
import { ForbiddenError } from '../../core/errors.js';
import { givenTitle } from '../../workspace/issues/quick-action-planner.service.js';
import { mayComment, type Discussion } from '../../workspace/notes/note-access.js';
import type { CreateNoteDto } from '../../workspace/notes/note.dto.js';
import type { NoteRow } from '../../workspace/notes/notes.repository.js';
import { NotesService, readComment, type SentNote } from '../../workspace/notes/notes.service.js';
import type { Commented } from '../../workspace/notes/quick-actions.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { SpamSender } from '../../workspace/spam/submission.js';
import { mayChange } from './merge-request-access.js';
import {
  MERGE_REQUEST_QUICK_ACTIONS,
  MergeRequestQuickActions,
} from './merge-request-quick-actions.service.js';
import { MergeRequestUpdateService } from './merge-request-update.service.js';
import { MergeRequestsRepository } from './merge-requests.repository.js';
import type { FoundMergeRequest } from './sql/merge-requests.js';

/** A merge request and its discussion. */
export interface DiscussedMergeRequest extends Discussion {
  request: FoundMergeRequest;
  project: ProjectRow;
}

/** Comments on merge requests, and the quick actions in them. */
@Injectable()
export class MergeRequestNotesService {
  constructor(
    private readonly requests: MergeRequestsRepository,
    private readonly notes: NotesService,
    private readonly commands: MergeRequestQuickActions,
    private readonly updates: MergeRequestUpdateService,
  ) {}

  /** Throws 404 for a merge request that is unknown or that the viewer cannot see. */
  async of(
    viewer: Viewer | null,
    project: ProjectRow,
    iid: number,
  ): Promise<DiscussedMergeRequest> {
    const request = await this.requests.findVisible(viewer, project.id, iid);
    return discussionOf(request, project, viewer);
  }

  /**
   * Writes the comment and runs its commands, all or nothing. Throws 403 for internal notes without
   * the role and for users who are not members in a locked discussion, 400 or 409 for spam.
   */
  async create(
    discussion: DiscussedMergeRequest,
    sender: SpamSender,
    dto: CreateNoteDto,
  ): Promise<Commented<NoteRow>> {
    const { request, reader } = discussion;
    const author = sender.viewer;
    const known = MERGE_REQUEST_QUICK_ACTIONS;
    const sent = readComment(discussion, { dto, authorId: author.id }, known);
    if (!mayComment(discussion)) throw new ForbiddenError();
    await this.assertClean(discussion, sender, sent);
    const { result: id, commands } = await this.commands.within(
      { request, author, accessLevel: reader.accessLevel, actions: sent.actions },
      async (tx) => {
        const { locked } = await this.requests.touch(tx, request.id);
        if (!mayComment({ ...discussion, discussionLocked: locked })) throw new ForbiddenError();
        return sent.isNote ? this.notes.create(tx, sent.note) : null;
      },
    );
    return { note: id === null ? null : await this.notes.find(discussion, id), commands };
  }

  /** Checks text and title together, because a solved CAPTCHA answers one question. */
  private async assertClean(
    { request, project }: DiscussedMergeRequest,
    sender: SpamSender,
    { note: { body, internal }, isNote, actions }: SentNote,
  ): Promise<void> {
    const title = mayChange(request, sender.viewer) ? givenTitle(request, actions) : undefined;
    if (isNote) {
      const { visibility } = project;
      const comment = { body, title, visibility, isConfidential: internal };
      await this.notes.assertClean(comment, sender);
    }
    if (title !== undefined && (!isNote || internal)) {
      await this.updates.assertClean({ project, request: { ...request, title } }, sender);
    }
  }
}

/** Returns the discussion of a merge request that the viewer was found to see. */
export function discussionOf(
  request: FoundMergeRequest,
  project: ProjectRow,
  viewer: Viewer | null,
): DiscussedMergeRequest {
  const { id, iid, projectId, accessLevel, discussionLocked } = request;
  return {
    request,
    project,
    noteable: { kind: 'merge_request', id, iid, projectId },
    reader: { viewer, accessLevel },
    visibility: project.visibility,
    isConfidential: false,
    discussionLocked,
  };
}
