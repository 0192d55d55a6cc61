import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/auth-context.js';
import { AuditLog, type AuditActor } from '../../core/audit/audit.service.js';
import { BadRequestError, ConflictError, NotFoundError } from '../../core/errors.js';
import { visibilityName } from '../../identity/members/visibility.js';
import { mayDateNotes, type Discussion } from '../notes/note-access.js';
import type { CreateNoteDto } from '../notes/note.dto.js';
import type { NoteRow } from '../notes/notes.repository.js';
import { NotesService } from '../notes/notes.service.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { SpamSender } from '../spam/submission.js';
import {
  assertMayChange,
  trailOf,
  type SnippetReference,
  type SnippetRequestContext,
} from './snippet-access.js';
import { SnippetCommitsService } from './snippet-content.service.js';
import { SnippetCreationService, type NewSnippet } from './snippet-creation.service.js';
import { assertUsableUpdate, plannedChanges, touchesFiles } from './snippet-files.js';
import { SnippetSpamCheck } from './snippet-spam.service.js';
import { changedAttributes, type UpdateSnippetDto } from './snippet.dto.js';
import { Snippet } from './snippet.entity.js';
import { presentSnippet, type SnippetResponse } from './snippet.presenter.js';
import { SnippetsRepository, type FoundSnippet, type SnippetRow } from './snippets.repository.js';
import { RepositoryTrashService } from '../../git/repository-trash.service.js';
import {
  type WriteLease,
  RepositoryReadOnlyError,
  WriteLeaseService,
} from '../../git/write-lease.service.js';

const MOVING =
  "A related snippet repository storage move is in progress. Try again when it's complete.";

/**
 * Changes as both kinds of endpoints offer them. The order of refusals: 404 for what the viewer
 * cannot see, 403, 412, then what the parameters, the spam check or a move forbid.
 */
@Injectable()
export class SnippetsService {
  constructor(
    private readonly snippets: SnippetsRepository,
    private readonly creation: SnippetCreationService,
    private readonly spam: SnippetSpamCheck,
    private readonly commits: SnippetCommitsService,
    private readonly audit: AuditLog,
    private readonly leases: WriteLeaseService,
    private readonly trash: RepositoryTrashService,
  ) {}

  /** The caller has decided whether the viewer can create a snippet there. */
  async create(
    snippet: Omit<NewSnippet, 'author'>,
    { viewer, presentation, sender }: SnippetRequestContext,
  ): Promise<SnippetResponse> {
    await this.spam.assertNewIsClean(snippet.dto, sender);
    const id = await this.creation.create({ ...snippet, author: viewer });
    return presentSnippet(await this.snippets.findVisible(viewer, id), presentation);
  }

  /** `projectId` restricts a project's path to its own snippets. */
  async update(
    dto: UpdateSnippetDto,
    change: SnippetReference,
    projectId?: number,
  ): Promise<SnippetResponse> {
    const snippet = await this.findForChange(change, projectId);
    await this.spam.assertChangeIsClean(snippet, dto, change.sender);
    await this.write(snippet, dto, change);
    return presentSnippet(
      await this.snippets.findVisible(change.viewer, snippet.id),
      change.presentation,
    );
  }

  /** Deletes a snippet with its repository; throws as `update`, and 409 during a move. */
  async delete(change: SnippetReference, projectId?: number): Promise<void> {
    const snippet = await this.findForChange(change, projectId);
    await this.remove(snippet, change.auth);
  }

  /**
   * The caller has checked that the viewer can change the snippet. Throws 400 for bad parameters
   * and, where files change, during a move; 404 when the snippet is deleted meanwhile.
   */
  private async write(
    snippet: SnippetRow,
    dto: UpdateSnippetDto,
    { viewer, auth }: { viewer: Viewer; auth: AuditActor },
  ): Promise<void> {
    assertUsableUpdate(dto);
    const attributes = changedAttributes(dto);
    if (touchesFiles(dto)) await this.commitFiles(snippet.id, dto, viewer);
    if (Object.keys(attributes).length > 0) await this.save(snippet, attributes, auth);
  }

  private async commitFiles(id: number, dto: UpdateSnippetDto, author: Viewer): Promise<void> {
    try {
      await this.commits.commit(id, author, (present) => plannedChanges(dto, present));
    } catch (error) {
      // A deletion at the same time takes the repository away under the commit.
      const isGone = !(await this.snippets.manager.existsBy(Snippet, { id }));
      throw isGone ? new NotFoundError('Snippet') : error;
    }
  }

  private save(snippet: SnippetRow, attributes: Partial<Snippet>, auth: AuditActor): Promise<void> {
    const { id, visibility: before } = snippet;
    return this.snippets.manager.transaction(async (tx) => {
      const changes = { ...attributes, updatedAt: () => 'now()' };
      const { affected } = await tx.update(Snippet, { id }, changes);
      if (affected === 0) throw new NotFoundError('Snippet');
      const { visibility: after } = attributes;
      if (after === undefined || after === before) return;
      await this.audit.record(tx, auth, {
        action: 'snippet_visibility_changed',
        targetType: 'Snippet',
        targetId: id,
        entity: trailOf(snippet),
        details: { visibility: { from: visibilityName(before), to: visibilityName(after) } },
      });
    });
  }

  private async findForChange(
    { snippetId, viewer, preconditions }: SnippetReference,
    projectId: number | undefined,
  ): Promise<FoundSnippet> {
    const snippet = await this.snippets.findVisible(viewer, snippetId, projectId);
    assertMayChange(snippet, viewer);
    preconditions.check(snippet.updatedAt);
    return snippet;
  }

  /**
   * Deletes the row, then moves the repository to its storage's trash; throws 409 during a move.
   * Both happen under a write lease, so that no move begins to copy in between; a lease left by a
   * process that died there makes `AbandonedWrites` remove the repository.
   */
  private async remove(snippet: SnippetRow, auth: AuditActor): Promise<void> {
    const { id } = snippet;
    const lease = await this.acquireLease(id, auth);
    let isRowDeleted = false;
    try {
      await this.trash.discardStaleCopies('snippet', id, `snippet-${id} deleted`);
      await this.deleteRow(snippet, auth);
      isRowDeleted = true;
      await this.trash.discard(lease, `snippet-${id} deleted`);
      isRowDeleted = false;
    } finally {
      if (isRowDeleted) lease.abandon();
      else await lease.release();
    }
  }

  private async acquireLease(id: number, auth: AuditActor): Promise<WriteLease> {
    const userId = auth.viewer?.id ?? null;
    try {
      return await this.leases.acquire({ kind: 'snippet', containerId: id, userId });
    } catch (error) {
      throw error instanceof RepositoryReadOnlyError ? new ConflictError(MOVING) : error;
    }
  }

  private deleteRow(snippet: SnippetRow, auth: AuditActor): Promise<void> {
    const { id } = snippet;
    return this.snippets.manager.transaction(async (tx) => {
      const { isMoving } = await this.snippets.lockForDeletion(tx, id);
      if (isMoving) throw new ConflictError(MOVING);
      await this.audit.record(tx, auth, {
        action: 'snippet_deleted',
        targetType: 'Snippet',
        targetId: id,
        entity: trailOf(snippet),
      });
      await tx.delete(Snippet, { id });
    });
  }
}

/** Comments on project snippets; personal snippets have none, as in v4. */
@Injectable()
export class SnippetNotesService {
  constructor(
    private readonly snippets: SnippetsRepository,
    private readonly notes: NotesService,
  ) {}

  /** Throws 404 for a snippet that the project does not have or that the viewer cannot see. */
  async of(viewer: Viewer | null, project: ProjectRow, snippetId: number): Promise<Discussion> {
    const snippet = await this.snippets.findVisible(viewer, snippetId, project.id);
    return discussionOf(snippet, project, viewer);
  }

  /**
   * Throws 400 for a bad text and for an internal note, which snippets do not have, 400 or 409 for
   * spam.
   */
  async create(
    discussion: Discussion,
    sender: SpamSender,
    { body, ...dto }: CreateNoteDto,
  ): Promise<NoteRow> {
    const { noteable, reader, visibility, isConfidential } = discussion;
    if (dto.internal ?? dto.confidential) {
      throw new BadRequestError('Note {:confidential=>["can not be set for this resource"]}');
    }
    const createdAt = mayDateNotes(reader) ? (dto.created_at ?? undefined) : undefined;
    await this.notes.assertClean({ body, visibility, isConfidential }, sender);
    const note = { noteable, authorId: sender.viewer.id, body, createdAt };
    const id = await this.snippets.manager.transaction(async (tx) => {
      await this.snippets.hold(tx, noteable.id);
      return this.notes.create(tx, note);
    });
    return this.notes.find(discussion, id);
  }
}

/** Returns the discussion of a project snippet that the viewer was found to see. */
export function discussionOf(
  { id, accessLevel, visibility }: FoundSnippet,
  project: ProjectRow,
  viewer: Viewer | null,
): Discussion {
  return {
    noteable: { kind: 'snippet', id, iid: null, projectId: project.id },
    reader: { viewer, accessLevel },
    visibility: Math.min(visibility, project.visibility),
    isConfidential: false,
    discussionLocked: false,
  };
}
