import { Controller, Get } from '@nestjs/common';
import { Ability, Scopes } from '../core/access/access.decorator.js';
import { CurrentUser } from '../core/access/viewer.decorator.js';
import type { Viewer } from '../core/access/viewer.js';
import { mapPage } from '../core/pagination/page.js';
import { Pages, type Paging } from '../core/pagination/paging.decorator.js';
import { Input } from '../core/params/input.decorator.js';
import { ResponseContext } from '../core/response-context.js';
import { ListOwnEventsDto } from './event.dto.js';
import { presentEvent } from './event.presenter.js';
import { VisibleEventsRepository } from './visible-events.repository.js';
import type { EventResponse } from './event.response.js';

/** The viewer's own events. */
@Controller('events')
@Scopes('read_user')
@Ability('signed_in')
export class OwnEventsController {
  constructor(private readonly events: VisibleEventsRepository) {}

  /** Lists the viewer's events; with `scope=all` all events in the viewer's projects. */
  @Get()
  async list(
    @Input() filters: ListOwnEventsDto,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<EventResponse[]> {
    const request = { viewer, filters, paging };
    const page = await (filters.scope === 'all'
      ? this.events.listOfMember(request)
      : this.events.listOfUser(viewer.id, request));
    return paging.write(mapPage(page, (row) => presentEvent(row, presentation)));
  }
}
