import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { CreateNoteDto, ListNotesDto, UpdateNoteDto } from '../notes/note.dto.js';
import { presentNote, type NoteResponse } from '../notes/note.presenter.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { RequestContext } from '../spam/request-context.decorator.js';
import { assertSnippetsEnabled, assertTakesSnippets } from './snippet-access.js';
import {
  SnippetNoteRef,
  SnippetNotesRef,
  type SnippetNoteReference,
  type SnippetNotesReference,
} from './snippet.decorators.js';
import { SnippetNotesService, type NotedSnippet } from './snippet-notes.service.js';
import type { ActorContext } from '../spam/request-context.decorator.js';

/** Comments on snippets of projects. */
@Controller('projects/:id/snippets/:snippet_id/notes')
@Scopes()
@ProjectAbility('read_note')
export class SnippetNotesController {
  constructor(private readonly notes: SnippetNotesService) {}

  /** Lists the notes of a snippet. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @SnippetNotesRef() place: SnippetNotesReference,
    @Input() filters: ListNotesDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<NoteResponse[]> {
    const snippet = await this.snippetOf(project, place);
    const page = await this.notes.list(snippet, filters, paging);
    return paging.write(mapPage(page, (row) => presentNote(row, snippet.noteable, presentation)));
  }

  /** Shows a note. */
  @Get(':note_id')
  async show(
    @CurrentProject() project: ProjectRow,
    @SnippetNoteRef() place: SnippetNoteReference,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<NoteResponse> {
    const snippet = await this.snippetOf(project, place);
    return presentNote(await this.notes.find(snippet, place.id), snippet.noteable, presentation);
  }

  /** Comments on a snippet; internal notes do not exist here. */
  @Post()
  @ApiErrors(409)
  @RateLimit('create')
  async create(
    @CurrentProject() project: ProjectRow,
    @SnippetNotesRef() place: SnippetNotesReference,
    @RequestContext() { sender }: ActorContext,
    @Input() dto: CreateNoteDto,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<NoteResponse> {
    assertTakesSnippets(project);
    const snippet = await this.snippetOf(project, place);
    const note = await this.notes.create(snippet, { project, sender }, dto);
    return presentNote(note, snippet.noteable, presentation);
  }

  /** Updates a comment; requires its author or a Maintainer. */
  @Put(':note_id')
  @ApiErrors(409, 412)
  async update(
    @CurrentProject() project: ProjectRow,
    @SnippetNoteRef() place: SnippetNoteReference,
    @RequestContext() { sender }: ActorContext,
    @Input() { body }: UpdateNoteDto,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<NoteResponse> {
    assertTakesSnippets(project);
    const snippet = await this.snippetOf(project, place);
    const note = await this.notes.update(snippet, place, { project, body, sender });
    return presentNote(note, snippet.noteable, presentation);
  }

  /** Deletes a comment; requires its author or a Maintainer. */
  @Delete(':note_id')
  @HttpCode(204)
  @ApiErrors(412)
  async delete(
    @CurrentProject() project: ProjectRow,
    @SnippetNoteRef() place: SnippetNoteReference,
  ): Promise<void> {
    assertTakesSnippets(project);
    await this.notes.delete(await this.snippetOf(project, place), place);
  }

  private snippetOf(
    project: ProjectRow,
    { viewer, snippetId }: SnippetNotesReference,
  ): Promise<NotedSnippet> {
    assertSnippetsEnabled(project);
    return this.notes.of(viewer, project.id, snippetId);
  }
}
