import { Controller, Get, Param } from '@nestjs/common';
import { NotFoundError } from '../../../../core/errors.js';
import { Answer } from '../../../../core/http/answer.js';
import { atRoot } from '../../../../core/http/root-path.js';
import { Pages, type Paging } from '../../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../../core/params/ids.js';
import { Shell } from '../../../../core/ui/shell.decorator.js';
import type { PageShell } from '../../../../core/ui/shell.js';
import { ProjectPage } from '../../../../projects/pages/project-page.guard.js';
import { CurrentProject } from '../../../../projects/project-access.guard.js';
import type { ProjectRow } from '../../../../projects/projects.repository.js';
import { ErrorsRepository } from '../../../errors/errors.repository.js';
import { ErrorEventsRepository } from '../../../events/error-events.repository.js';
import { unpackText } from '../../../events/event-payload.js';
import { errorPartInfo, ErrorViews } from '../detail/error-views.service.js';
import { EventPage } from './event.page.js';
import { EventsPage } from './events.page.js';

const EVENT_ID = /^[0-9a-f]{32}$/;

/** Pages of the stored events of an error; for the project's reporters. */
@Controller(atRoot('*project_path/-/error_tracking/:error_id/events'))
export class EventPagesController {
  constructor(
    private readonly errors: ErrorsRepository,
    private readonly events: ErrorEventsRepository,
    private readonly views: ErrorViews,
  ) {}

  /** Lists them, the latest first. */
  @Get()
  @ProjectPage('read_error', 'signed_in')
  async list(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Pages() paging: Paging,
  ): Promise<Answer> {
    const error = await this.errors.get(project.id, id);
    const events = await this.events.page(error, paging);
    const page = EventsPage({ viewer: shell.viewer, project, error, events, paging });
    return shell.page(page, errorPartInfo(project, error, 'Events'));
  }

  /** Shows an event, or that it is not, or no longer, stored. */
  @Get(':event_id')
  @ProjectPage('read_error', 'signed_in')
  async show(
    @Shell() shell: PageShell,
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Param('event_id') eventId: string,
  ): Promise<Answer> {
    assertEventId(eventId);
    const error = await this.errors.get(project.id, id);
    const event = await this.views.event(error, eventId);
    const page = EventPage({ viewer: shell.viewer, project, error, event });
    const info = errorPartInfo(project, error, `Event ${eventId.slice(0, 8)}`);
    return shell.page(page, info, event === null ? 404 : 200);
  }

  /** Downloads what the program sent, as JSON; 404 when it can no longer be read. */
  @Get(':event_id/raw')
  @ProjectPage('read_error', 'signed_in')
  async raw(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Param('event_id') eventId: string,
  ): Promise<Answer> {
    assertEventId(eventId);
    const error = await this.errors.get(project.id, id);
    const json = await unpackText(await this.events.get(error, eventId));
    if (json === null) throw new NotFoundError('Event');
    return new Answer(200, json, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="event-${eventId}.json"`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    });
  }
}

/** 404 for what is no event's id as pages spell it. */
function assertEventId(text: string): void {
  if (!EVENT_ID.test(text)) throw new NotFoundError('Event');
}
