import { Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiErrors, ApiResponses } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { CreateNoteDto, ListNotesDto, UpdateNoteDto } from '../notes/note.dto.js';
import { presentComment, presentNote, type NoteResponse } from '../notes/note.presenter.js';
import { NotesService } from '../notes/notes.service.js';
import type { CommandsResponse } from '../notes/quick-actions.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { IssuableRef, type IssuableReference } from '../spam/request-context.decorator.js';
import { assertIssuesEnabled, assertTakesIssues } from './issue-access.js';
import { IssueNotesService, type DiscussedIssue } from './issue-notes.service.js';

/** Comments and system notes of issues. */
@Controller('projects/:id/issues/:issue_iid/notes')
@Scopes()
@ProjectAbility('read_note')
export class IssueNotesController {
  constructor(
    private readonly discussions: IssueNotesService,
    private readonly notes: NotesService,
  ) {}

  /** Lists the notes of an issue that the viewer can see. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @IssuableRef('issue_iid') reference: IssuableReference,
    @Input() filters: ListNotesDto,
    @ResponseContext() context: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<NoteResponse[]> {
    const issue = await this.discussionOf(project, reference);
    const page = await this.notes.list(issue, filters, paging);
    return paging.write(mapPage(page, (row) => presentNote(row, issue.noteable, context)));
  }

  /** Shows a note. */
  @Get(':note_id')
  async show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @IssuableRef('issue_iid') reference: IssuableReference,
    @ResponseContext() context: ResponseContext,
  ): Promise<NoteResponse> {
    const issue = await this.discussionOf(project, reference);
    return presentNote(await this.notes.find(issue, id), issue.noteable, context);
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
    @IssuableRef('issue_iid') reference: IssuableReference,
    @Input() dto: CreateNoteDto,
    @ResponseContext() context: ResponseContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NoteResponse | CommandsResponse> {
    assertTakesIssues(project);
    const issue = await this.discussionOf(project, reference);
    const comment = await this.discussions.create(issue, reference, dto);
    if (comment.note === null) response.status(202);
    return presentComment(comment, issue.noteable, context);
  }

  /** Updates a comment; requires its author or a Maintainer. */
  @Put(':note_id')
  @ApiErrors(409, 412)
  async update(
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @IssuableRef('issue_iid') reference: IssuableReference,
    @Input() { body }: UpdateNoteDto,
    @ResponseContext() context: ResponseContext,
  ): Promise<NoteResponse> {
    assertTakesIssues(project);
    const issue = await this.discussionOf(project, reference);
    const note = await this.notes.update(issue, { ...reference, id }, body);
    return presentNote(note, issue.noteable, context);
  }

  /** Deletes a comment; requires its author or a Maintainer. */
  @Delete(':note_id')
  @HttpCode(204)
  @ApiErrors(412)
  async delete(
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @IssuableRef('issue_iid') reference: IssuableReference,
  ): Promise<void> {
    assertTakesIssues(project);
    await this.notes.delete(await this.discussionOf(project, reference), { ...reference, id });
  }

  private discussionOf(
    project: ProjectRow,
    { viewer, iid }: IssuableReference,
  ): Promise<DiscussedIssue> {
    assertIssuesEnabled(project);
    return this.discussions.of(viewer, project, iid);
  }
}
