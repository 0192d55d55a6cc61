import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/auth-context.js';
import { BadRequestError } from '../../core/errors.js';
import { mayDateNotes, type Discussion } from '../notes/note-access.js';
import type { CreateNoteDto } from '../notes/note.dto.js';
import type { NoteRow } from '../notes/notes.repository.js';
import { NotesService } from '../notes/notes.service.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { SpamSender } from '../spam/submission.js';
import { type FoundSnippet, SnippetsRepository } from './snippets.repository.js';

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
