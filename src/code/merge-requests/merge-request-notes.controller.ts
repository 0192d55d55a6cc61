import { Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors, ApiResponses } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { CreateNoteDto, ListNotesDto, UpdateNoteDto } from '../../workspace/notes/note.dto.js';
import {
  presentComment,
  presentNote,
  type NoteResponse,
} from '../../workspace/notes/note.presenter.js';
import { NotesService } from '../../workspace/notes/notes.service.js';
import type { CommandsResponse } from '../../workspace/notes/quick-actions.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { assertMergeRequestsEnabled, assertTakesMergeRequests } from './merge-request-access.js';
import {
  MergeRequestNotesService,
  type DiscussedMergeRequest,
} from './merge-request-notes.service.js';
import {
  IssuableRef,
  type IssuableReference,
} from '../../workspace/spam/request-context.decorator.js';

/** Comments and system notes of merge requests. */
@Controller('projects/:id/merge_requests/:merge_request_iid/notes')
@Scopes()
@ProjectAbility('read_merge_request')
export class MergeRequestNotesController {
  constructor(
    private readonly discussions: MergeRequestNotesService,
    private readonly notes: NotesService,
  ) {}

  /** Lists the notes of a merge request that the viewer can see. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @IssuableRef('merge_request_iid') reference: IssuableReference,
    @Input() filters: ListNotesDto,
    @ResponseContext() context: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<NoteResponse[]> {
    const request = await this.requestOf(project, reference);
    const page = await this.notes.list(request, filters, paging);
    return paging.write(mapPage(page, (row) => presentNote(row, request.noteable, context)));
  }

  /** Shows a note. */
  @Get(':note_id')
  async show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @IssuableRef('merge_request_iid') reference: IssuableReference,
    @ResponseContext() context: ResponseContext,
  ): Promise<NoteResponse> {
    const request = await this.requestOf(project, reference);
    return presentNote(await this.notes.find(request, id), request.noteable, context);
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
    @IssuableRef('merge_request_iid') reference: IssuableReference,
    @Input() dto: CreateNoteDto,
    @ResponseContext() context: ResponseContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NoteResponse | CommandsResponse> {
    assertTakesMergeRequests(project);
    const request = await this.requestOf(project, reference);
    const comment = await this.discussions.create(request, reference.sender, dto);
    if (comment.note === null) response.status(202);
    return presentComment(comment, request.noteable, context);
  }

  /** Updates a comment; requires its author or a Maintainer. */
  @Put(':note_id')
  @ApiErrors(409, 412)
  async update(
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @IssuableRef('merge_request_iid') reference: IssuableReference,
    @Input() { body }: UpdateNoteDto,
    @ResponseContext() context: ResponseContext,
  ): Promise<NoteResponse> {
    assertTakesMergeRequests(project);
    const request = await this.requestOf(project, reference);
    const note = await this.notes.update(request, { ...reference, id }, body);
    return presentNote(note, request.noteable, context);
  }

  /** Deletes a comment; requires its author or a Maintainer. */
  @Delete(':note_id')
  @HttpCode(204)
  @ApiErrors(412)
  async delete(
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @IssuableRef('merge_request_iid') reference: IssuableReference,
  ): Promise<void> {
    assertTakesMergeRequests(project);
    await this.notes.delete(await this.requestOf(project, reference), { ...reference, id });
  }

  private requestOf(
    project: ProjectRow,
    { viewer, iid }: IssuableReference,
  ): Promise<DiscussedMergeRequest> {
    assertMergeRequestsEnabled(project);
    return this.discussions.of(viewer, project, iid);
  }
}
