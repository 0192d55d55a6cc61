import { Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors, ApiResponses } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { presentCommands, type CommandsResponse } from '../../workspace/notes/command-changes.js';
import { CreateNoteDto, ListNotesDto, UpdateNoteDto } from '../../workspace/notes/note.dto.js';
import { presentNote, type NoteResponse } from '../../workspace/notes/note.presenter.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { assertMergeRequestsEnabled, assertTakesMergeRequests } from './merge-request-access.js';
import {
  MergeRequestRef,
  NoteRef,
  type MergeRequestReference,
  type MergeRequestNoteReference,
} from './merge-request-ref.decorator.js';
import { MergeRequestNotesService, type NotedMergeRequest } from './merge-request-notes.service.js';
import {
  type ActorContext,
  RequestContext,
} from '../../workspace/spam/request-context.decorator.js';

/** Comments on merge requests, and what the server noted about them. */
@Controller('projects/:id/merge_requests/:merge_request_iid/notes')
@Scopes()
@ProjectAbility('read_merge_request')
export class MergeRequestNotesController {
  constructor(private readonly notes: MergeRequestNotesService) {}

  /** Lists the notes of a merge request that the viewer can see. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @MergeRequestRef() place: MergeRequestReference,
    @Input() filters: ListNotesDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<NoteResponse[]> {
    const request = await this.requestOf(project, place);
    const page = await this.notes.list(request, filters, paging);
    return paging.write(mapPage(page, (row) => presentNote(row, request.noteable, presentation)));
  }

  /** Shows a note. */
  @Get(':note_id')
  async show(
    @CurrentProject() project: ProjectRow,
    @NoteRef() place: MergeRequestNoteReference,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<NoteResponse> {
    const request = await this.requestOf(project, place);
    return presentNote(await this.notes.find(request, place.id), request.noteable, presentation);
  }

  /**
   * Comments on a merge request; in a locked discussion members only. Lines such as `/close` are
   * quick actions; 202 if there is nothing else.
   */
  @Post()
  @ApiResponses(201, 202)
  @ApiErrors(409)
  @RateLimit('create')
  async create(
    @CurrentProject() project: ProjectRow,
    @MergeRequestRef() place: MergeRequestReference,
    @RequestContext() { sender }: ActorContext,
    @Input() dto: CreateNoteDto,
    @ResponseContext() presentation: ResponseContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NoteResponse | CommandsResponse> {
    assertTakesMergeRequests(project);
    const request = await this.requestOf(project, place);
    const { note, commands } = await this.notes.create(request, { project, sender }, dto);
    if (note === null) {
      response.status(202);
      return presentCommands(commands);
    }
    const presented = presentNote(note, request.noteable, presentation);
    return { ...presented, commands_changes: commands.changes };
  }

  /** Updates a comment; requires its author or a Maintainer. */
  @Put(':note_id')
  @ApiErrors(409, 412)
  async update(
    @CurrentProject() project: ProjectRow,
    @NoteRef() place: MergeRequestNoteReference,
    @RequestContext() { sender }: ActorContext,
    @Input() { body }: UpdateNoteDto,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<NoteResponse> {
    assertTakesMergeRequests(project);
    const request = await this.requestOf(project, place);
    const note = await this.notes.update(request, place, { body, project, sender });
    return presentNote(note, request.noteable, presentation);
  }

  /** Deletes a comment; requires its author or a Maintainer. */
  @Delete(':note_id')
  @HttpCode(204)
  @ApiErrors(412)
  async delete(
    @CurrentProject() project: ProjectRow,
    @NoteRef() place: MergeRequestNoteReference,
  ): Promise<void> {
    assertTakesMergeRequests(project);
    await this.notes.delete(await this.requestOf(project, place), place);
  }

  private requestOf(
    project: ProjectRow,
    { viewer, iid }: MergeRequestReference,
  ): Promise<NotedMergeRequest> {
    assertMergeRequestsEnabled(project);
    return this.notes.of(viewer, project.id, iid);
  }
}
