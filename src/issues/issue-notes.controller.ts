import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../core/access/access.decorator.js';
import { Refuses } from '../core/access/refuses.decorator.js';
import { mapPage } from '../core/pagination/page.js';
import { Pages, type Paging } from '../core/pagination/paging.decorator.js';
import { Input } from '../core/params/input.decorator.js';
import { Presenting, type Presentation } from '../core/presentation.js';
import { RateLimit } from '../core/rate-limits/rate-limit.decorator.js';
import { CreateNoteDto } from '../notes/dto/create-note.dto.js';
import { ListNotesDto } from '../notes/dto/list-notes.dto.js';
import { UpdateNoteDto } from '../notes/dto/update-note.dto.js';
import { presentNote, type PresentedNote } from '../notes/note.presenter.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/project-row.js';
import { assertIssuesEnabled, assertTakesIssues } from './issue-access.js';
import {
  NoteOfPath,
  NotesOfPath,
  type NotePlace,
  type NotesPlace,
} from './issue-note-place.decorator.js';
import { IssueNotesService, type NotedIssue } from './issue-notes.service.js';

/** Comments on issues, and what the server noted about them. */
@Controller('projects/:id/issues/:issue_iid/notes')
@Scopes()
@ProjectAbility('read_note')
export class IssueNotesController {
  constructor(private readonly notes: IssueNotesService) {}

  /** Lists the notes of an issue that the asker may see. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @NotesOfPath() place: NotesPlace,
    @Input() filters: ListNotesDto,
    @Presenting() presentation: Presentation,
    @Pages() paging: Paging,
  ): Promise<PresentedNote[]> {
    const issue = await this.issueOf(project, place);
    const page = await this.notes.list(issue, filters, paging);
    return paging.write(mapPage(page, (row) => presentNote(row, issue.noteable, presentation)));
  }

  /** Shows a note. */
  @Get(':note_id')
  async show(
    @CurrentProject() project: ProjectRow,
    @NoteOfPath() place: NotePlace,
    @Presenting() presentation: Presentation,
  ): Promise<PresentedNote> {
    const issue = await this.issueOf(project, place);
    return presentNote(await this.notes.find(issue, place.id), issue.noteable, presentation);
  }

  /** Comments on an issue; in a locked discussion members only. */
  @Post()
  @RateLimit('create')
  async create(
    @CurrentProject() project: ProjectRow,
    @NotesOfPath() place: NotesPlace,
    @Input() dto: CreateNoteDto,
    @Presenting() presentation: Presentation,
  ): Promise<PresentedNote> {
    assertTakesIssues(project);
    const issue = await this.issueOf(project, place);
    const note = await this.notes.create(issue, place.viewer, dto);
    return presentNote(note, issue.noteable, presentation);
  }

  /** Changes a comment: its author and Maintainers may. */
  @Put(':note_id')
  @Refuses(412)
  async update(
    @CurrentProject() project: ProjectRow,
    @NoteOfPath() place: NotePlace,
    @Input() dto: UpdateNoteDto,
    @Presenting() presentation: Presentation,
  ): Promise<PresentedNote> {
    assertTakesIssues(project);
    const issue = await this.issueOf(project, place);
    const note = await this.notes.update(issue, place, dto.body);
    return presentNote(note, issue.noteable, presentation);
  }

  /** Deletes a comment: its author and Maintainers may. */
  @Delete(':note_id')
  @HttpCode(204)
  @Refuses(412)
  async delete(
    @CurrentProject() project: ProjectRow,
    @NoteOfPath() place: NotePlace,
  ): Promise<void> {
    assertTakesIssues(project);
    await this.notes.delete(await this.issueOf(project, place), place);
  }

  private issueOf(project: ProjectRow, { viewer, iid }: NotesPlace): Promise<NotedIssue> {
    assertIssuesEnabled(project);
    return this.notes.of(viewer, project.id, iid);
  }
}
