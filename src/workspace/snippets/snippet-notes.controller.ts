import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { CreateNoteDto, ListNotesDto, UpdateNoteDto } from '../notes/note.dto.js';
import { presentNote, type NoteResponse } from '../notes/note.presenter.js';
import type { Discussion } from '../notes/note-access.js';
import { NotesService } from '../notes/notes.service.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { assertSnippetsEnabled, assertTakesSnippets } from './snippet-access.js';
import { SnippetNotesService } from './snippet-notes.service.js';
import { SnippetRef, type SnippetReference } from './snippet.decorators.js';

/** Comments on snippets of projects. */
@Controller('projects/:id/snippets/:snippet_id/notes')
@Scopes()
@ProjectAbility('read_note')
export class SnippetNotesController {
  constructor(
    private readonly discussions: SnippetNotesService,
    private readonly notes: NotesService,
  ) {}

  /** Lists the notes of a snippet. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @SnippetRef('snippet_id') reference: SnippetReference,
    @Input() filters: ListNotesDto,
    @ResponseContext() context: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<NoteResponse[]> {
    const snippet = await this.snippetOf(project, reference);
    const page = await this.notes.list(snippet, filters, paging);
    return paging.write(mapPage(page, (row) => presentNote(row, snippet.noteable, context)));
  }

  /** Shows a note. */
  @Get(':note_id')
  async show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @SnippetRef('snippet_id') reference: SnippetReference,
    @ResponseContext() context: ResponseContext,
  ): Promise<NoteResponse> {
    const snippet = await this.snippetOf(project, reference);
    return presentNote(await this.notes.find(snippet, id), snippet.noteable, context);
  }

  /** Comments on a snippet; internal notes do not exist here. */
  @Post()
  @ApiErrors(409)
  @RateLimit('create')
  async create(
    @CurrentProject() project: ProjectRow,
    @SnippetRef('snippet_id') reference: SnippetReference,
    @Input() dto: CreateNoteDto,
    @ResponseContext() context: ResponseContext,
  ): Promise<NoteResponse> {
    assertTakesSnippets(project);
    const snippet = await this.snippetOf(project, reference);
    const note = await this.discussions.create(snippet, reference.sender, dto);
    return presentNote(note, snippet.noteable, context);
  }

  /** Updates a comment; requires its author or a Maintainer. */
  @Put(':note_id')
  @ApiErrors(409, 412)
  async update(
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @SnippetRef('snippet_id') reference: SnippetReference,
    @Input() { body }: UpdateNoteDto,
    @ResponseContext() context: ResponseContext,
  ): Promise<NoteResponse> {
    assertTakesSnippets(project);
    const snippet = await this.snippetOf(project, reference);
    const note = await this.notes.update(snippet, { ...reference, id }, body);
    return presentNote(note, snippet.noteable, context);
  }

  /** Deletes a comment; requires its author or a Maintainer. */
  @Delete(':note_id')
  @HttpCode(204)
  @ApiErrors(412)
  async delete(
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @SnippetRef('snippet_id') reference: SnippetReference,
  ): Promise<void> {
    assertTakesSnippets(project);
    await this.notes.delete(await this.snippetOf(project, reference), { ...reference, id });
  }

  private snippetOf(
    project: ProjectRow,
    { viewer, snippetId }: SnippetReference,
  ): Promise<Discussion> {
    assertSnippetsEnabled(project);
    return this.discussions.of(viewer, project, snippetId);
  }
}
