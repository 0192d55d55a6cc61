import { Controller, Get, Param } from '@nestjs/common';
import { NotFoundError } from '../../../../core/errors.js';
import { HttpResponse } from '../../../../core/http/http-response.js';
import { atRoot } from '../../../../core/http/paths.js';
import { Pages, type Paging } from '../../../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../../../core/params/ids.js';
import type { PageContext } from '../../../../core/ui/page-context.js';
import { Context } from '../../../../core/ui/page-contexts.service.js';
import {
  CurrentProject,
  ProjectPage,
} from '../../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../../workspace/projects/projects.repository.js';
import { ErrorGroupsRepository } from '../../../errors/error-groups.repository.js';
import { ErrorEventsRepository } from '../../../events/error-events.repository.js';
import { unpackText } from '../../../events/stored-event.js';
import { errorPartInfo, ErrorPageRenderer } from '../detail/error-page-renderer.service.js';
import { EventPage, EventsPage } from './event.page.js';

const EVENT_ID = /^[0-9a-f]{32}$/;

/** Pages of the stored events of an error; for the project's reporters. */
@Controller(atRoot('*project_path/-/error_tracking/:error_id/events'))
export class EventPagesController {
  constructor(
    private readonly errors: ErrorGroupsRepository,
    private readonly events: ErrorEventsRepository,
    private readonly views: ErrorPageRenderer,
  ) {}

  /** Lists them, the latest first. */
  @Get()
  @ProjectPage('read_error', 'signed_in')
  async list(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const error = await this.errors.get(project.id, id);
    const events = await this.events.page(error, paging);
    const page = EventsPage({ project, error, events, paging });
    return pageContext.render(page, errorPartInfo(project, error, 'Events'));
  }

  /** Shows an event, or that it is not, or no longer, stored. */
  @Get(':event_id')
  @ProjectPage('read_error', 'signed_in')
  async show(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Param('event_id') eventId: string,
  ): Promise<HttpResponse> {
    assertEventId(eventId);
    const error = await this.errors.get(project.id, id);
    const event = await this.views.event(error, eventId);
    const page = EventPage({ project, error, event });
    const info = errorPartInfo(project, error, `Event ${eventId.slice(0, 8)}`);
    return pageContext.render(page, info, event === null ? 404 : 200);
  }

  /** Downloads what the program sent, as JSON; 404 when it can no longer be read. */
  @Get(':event_id/raw')
  @ProjectPage('read_error', 'signed_in')
  async raw(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') id: number,
    @Param('event_id') eventId: string,
  ): Promise<HttpResponse> {
    assertEventId(eventId);
    const error = await this.errors.get(project.id, id);
    const json = await unpackText(await this.events.get(error, eventId));
    if (json === null) throw new NotFoundError('Event');
    return new HttpResponse(200, json, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="event-${eventId}.json"`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    });
  }
}

/** Throws 404 unless the text is an event ID as pages spell it. */
function assertEventId(text: string): void {
  if (!EVENT_ID.test(text)) throw new NotFoundError('Event');
}
