import { Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors, ApiResponses } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { presentCommands, type CommandsResponse } from '../notes/command-changes.js';
import { CreateNoteDto, ListNotesDto, UpdateNoteDto } from '../notes/note.dto.js';
import { presentNote, type NoteResponse } from '../notes/note.presenter.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { assertIssuesEnabled, assertTakesIssues } from './issue-access.js';
import {
  NoteRef,
  NotesRef,
  type NoteReference,
  type NotesReference,
} from './issue-ref.decorator.js';
import { IssueNotesService, type NotedIssue } from './issue-notes.service.js';

/** Comments on issues, and what the server noted about them. */
@Controller('projects/:id/issues/:issue_iid/notes')
@Scopes()
@ProjectAbility('read_note')
export class IssueNotesController {
  constructor(private readonly notes: IssueNotesService) {}

  /** Lists the notes of an issue that the viewer can see. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @NotesRef() place: NotesReference,
    @Input() filters: ListNotesDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<NoteResponse[]> {
    const issue = await this.issueOf(project, place);
    const page = await this.notes.list(issue, filters, paging);
    return paging.write(mapPage(page, (row) => presentNote(row, issue.noteable, presentation)));
  }

  /** Shows a note. */
  @Get(':note_id')
  async show(
    @CurrentProject() project: ProjectRow,
    @NoteRef() place: NoteReference,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<NoteResponse> {
    const issue = await this.issueOf(project, place);
    return presentNote(await this.notes.find(issue, place.id), issue.noteable, presentation);
  }

  /**
   * Comments on an issue; in a locked discussion members only. Lines such as `/close` are quick
   * actions; 202 if there is nothing else.
   */
  @Post()
  @ApiResponses(201, 202)
  @ApiErrors(409)
  @RateLimit('create')
  async create(
    @CurrentProject() project: ProjectRow,
    @NotesRef() place: NotesReference,
    @Input() dto: CreateNoteDto,
    @ResponseContext() presentation: ResponseContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NoteResponse | CommandsResponse> {
    assertTakesIssues(project);
    const issue = await this.issueOf(project, place);
    const { note, commands } = await this.notes.create(issue, { project, change: place }, dto);
    if (note === null) {
      response.status(202);
      return presentCommands(commands);
    }
    const presented = presentNote(note, issue.noteable, presentation);
    return { ...presented, commands_changes: commands.changes };
  }

  /** Updates a comment; requires its author or a Maintainer. */
  @Put(':note_id')
  @ApiErrors(409, 412)
  async update(
    @CurrentProject() project: ProjectRow,
    @NoteRef() place: NoteReference,
    @Input() dto: UpdateNoteDto,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<NoteResponse> {
    assertTakesIssues(project);
    const issue = await this.issueOf(project, place);
    const note = await this.notes.update(issue, { project, change: place }, dto.body);
    return presentNote(note, issue.noteable, presentation);
  }

  /** Deletes a comment; requires its author or a Maintainer. */
  @Delete(':note_id')
  @HttpCode(204)
  @ApiErrors(412)
  async delete(
    @CurrentProject() project: ProjectRow,
    @NoteRef() place: NoteReference,
  ): Promise<void> {
    assertTakesIssues(project);
    await this.notes.delete(await this.issueOf(project, place), place);
  }

  private issueOf(
    project: ProjectRow,
    { viewer, iid }: Pick<NotesReference, 'viewer' | 'iid'>,
  ): Promise<NotedIssue> {
    assertIssuesEnabled(project);
    return this.notes.of(viewer, project.id, iid);
  }
}
