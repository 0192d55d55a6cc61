import { Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiErrors, ApiResponses } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import type { Discussion } from './note-access.js';
import { CreateNoteDto, ListNotesDto, UpdateNoteDto } from './note.dto.js';
import { presentComment, presentNote, type NoteResponse } from './note.presenter.js';
import { NoteableRef, type NoteableReference } from './noteable.js';
import type { NoteRow } from './notes.repository.js';
import type { NotesService } from './notes.service.js';
import type { Commented, CommandsResponse } from './quick-actions.js';

/**
 * Comments and system notes of one kind of noteable: each kind has a controller with its path, its
 * ability and its rules. Its tag `@noteable` completes the descriptions of the endpoints.
 */
export abstract class NotesController {
  constructor(private readonly notes: NotesService) {}

  /**
   * Throws 403 or 404 unless the project has noteables of the kind, for `change` unless it takes
   * changes, and 404 for one that the viewer cannot see.
   */
  protected abstract discussionOf(
    project: ProjectRow,
    reference: NoteableReference,
    purpose: 'read' | 'change',
  ): Promise<Discussion>;

  /** Lists the notes of {noteable} that the viewer can see. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @NoteableRef() reference: NoteableReference,
    @Input() filters: ListNotesDto,
    @ResponseContext() context: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<NoteResponse[]> {
    const discussion = await this.discussionOf(project, reference, 'read');
    const page = await this.notes.list(discussion, filters, paging);
    return paging.write(mapPage(page, (row) => presentNote(row, discussion.noteable, context)));
  }

  /** Shows a note. */
  @Get(':note_id')
  async show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @NoteableRef() reference: NoteableReference,
    @ResponseContext() context: ResponseContext,
  ): Promise<NoteResponse> {
    const discussion = await this.discussionOf(project, reference, 'read');
    return presentNote(await this.notes.find(discussion, id), discussion.noteable, context);
  }

  /** Updates a comment; requires its author or a Maintainer. */
  @Put(':note_id')
  @ApiErrors(409, 412)
  async update(
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @NoteableRef() reference: NoteableReference,
    @Input() { body }: UpdateNoteDto,
    @ResponseContext() context: ResponseContext,
  ): Promise<NoteResponse> {
    const discussion = await this.discussionOf(project, reference, 'change');
    const note = await this.notes.update(discussion, { ...reference, id }, body);
    return presentNote(note, discussion.noteable, context);
  }

  /** Deletes a comment; requires its author or a Maintainer. */
  @Delete(':note_id')
  @HttpCode(204)
  @ApiErrors(412)
  async delete(
    @CurrentProject() project: ProjectRow,
    @IntegerId('note_id') id: number,
    @NoteableRef() reference: NoteableReference,
  ): Promise<void> {
    const discussion = await this.discussionOf(project, reference, 'change');
    await this.notes.delete(discussion, { ...reference, id });
  }
}

/** The discussion of an issue or merge request, and how to comment on it. */
export interface IssuableComments {
  discussion: Discussion;
  create(dto: CreateNoteDto): Promise<Commented<NoteRow>>;
}

/** Comments on issues and merge requests, which can have quick actions. */
export abstract class IssuableNotesController extends NotesController {
  /** Throws as `discussionOf` does. */
  protected abstract commentsOn(
    project: ProjectRow,
    reference: NoteableReference,
    purpose: 'read' | 'change',
  ): Promise<IssuableComments>;

  protected async discussionOf(
    project: ProjectRow,
    reference: NoteableReference,
    purpose: 'read' | 'change',
  ): Promise<Discussion> {
    const { discussion } = await this.commentsOn(project, reference, purpose);
    return discussion;
  }

  /**
   * Comments on {noteable}; in a locked discussion members only. Lines such as `/close` are quick
   * actions; 202 if there is nothing else.
   */
  @Post()
  @ApiResponses(201, 202)
  @ApiErrors(409)
  @RateLimit('create')
  async create(
    @CurrentProject() project: ProjectRow,
    @NoteableRef() reference: NoteableReference,
    @Input() dto: CreateNoteDto,
    @ResponseContext() context: ResponseContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NoteResponse | CommandsResponse> {
    const { discussion, create } = await this.commentsOn(project, reference, 'change');
    const comment = await create(dto);
    if (comment.note === null) response.status(202);
    return presentComment(comment, discussion.noteable, context);
  }
}
