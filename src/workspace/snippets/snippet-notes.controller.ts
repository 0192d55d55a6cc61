import { Controller, Post } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { Input } from '../../core/params/input.decorator.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ResponseContext } from '../../core/response-context.js';
import type { Discussion } from '../notes/note-access.js';
import { CreateNoteDto } from '../notes/note.dto.js';
import { presentNote, type NoteResponse } from '../notes/note.presenter.js';
import { NoteableRef, type NoteableReference } from '../notes/noteable.js';
import { NotesController } from '../notes/notes.controller.js';
import { NotesService } from '../notes/notes.service.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { assertSnippetsEnabled, assertTakesSnippets } from './snippet-access.js';
import { SnippetNotesService } from './snippets.service.js';

/**
 * Comments on snippets of projects.
 * @noteable a snippet
 */
@Controller('projects/:id/snippets/:snippet_id/notes')
@Scopes()
@ProjectAbility('read_note')
export class SnippetNotesController extends NotesController {
  constructor(
    notes: NotesService,
    private readonly discussions: SnippetNotesService,
  ) {
    super(notes);
  }

  /** Comments on a snippet; internal notes do not exist here. */
  @Post()
  @ApiErrors(409)
  @RateLimit('create')
  async create(
    @CurrentProject() project: ProjectRow,
    @NoteableRef() reference: NoteableReference,
    @Input() dto: CreateNoteDto,
    @ResponseContext() context: ResponseContext,
  ): Promise<NoteResponse> {
    const snippet = await this.discussionOf(project, reference, 'change');
    const note = await this.discussions.create(snippet, reference.sender, dto);
    return presentNote(note, snippet.noteable, context);
  }

  protected async discussionOf(
    project: ProjectRow,
    { viewer, number }: NoteableReference,
    purpose: 'read' | 'change',
  ): Promise<Discussion> {
    if (purpose === 'change') assertTakesSnippets(project);
    assertSnippetsEnabled(project);
    return this.discussions.of(viewer, project, number);
  }
}
