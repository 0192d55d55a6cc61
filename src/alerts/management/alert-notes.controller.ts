import { Controller, Get, Post } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { ResponseContext } from '../../core/response-context.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { CreateNoteDto, ListNotesDto } from '../../workspace/notes/note.dto.js';
import { presentNote, type NoteResponse } from '../../workspace/notes/note.presenter.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { AlertRef, type AlertReference } from './alert-ref.decorator.js';
import { AlertNotes, noteableOf } from './alert-notes.service.js';
import { AlertsRepository } from '../alerts.repository.js';

/** The timeline of an alert: comments, and what the server noted about it. */
@Controller('projects/:id/alert_management_alerts/:alert_iid/notes')
@Scopes()
export class AlertNotesController {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly notes: AlertNotes,
  ) {}

  /** Lists the notes of an alert, including system notes. */
  @Get()
  @ProjectAbility('read_alert')
  async list(
    @CurrentProject() project: ProjectRow,
    @IntegerId('alert_iid') iid: number,
    @Input() filters: ListNotesDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<NoteResponse[]> {
    const alert = await this.alerts.findByIid(project.id, iid);
    const page = await this.notes.list({ project, alert }, filters, paging);
    const noteable = noteableOf(alert);
    return paging.write(mapPage(page, (row) => presentNote(row, noteable, presentation)));
  }

  /** Comments on an alert. */
  @Post()
  @RateLimit('create')
  @ProjectAbility('admin_alert')
  async create(
    @CurrentProject() project: ProjectRow,
    @AlertRef() { iid, viewer }: AlertReference,
    @Input() dto: CreateNoteDto,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<NoteResponse> {
    const alert = await this.alerts.findByIid(project.id, iid);
    const note = await this.notes.create({ project, alert }, dto, viewer);
    return presentNote(note, noteableOf(alert), presentation);
  }
}
