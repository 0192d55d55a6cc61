import { Controller, Get, Param } from '@nestjs/common';
import { Scopes, Ability } from '../core/access/access.decorator.js';
import { CurrentUser, type Viewer } from '../core/access/auth-context.js';
import type { JsonText } from '../core/http/http-response.js';
import { Pages, type Paging } from '../core/pagination/paging.decorator.js';
import { parseIdOrPath } from '../core/params/ids.js';
import { Input } from '../core/params/input.decorator.js';
import { ResponseContext } from '../core/response-context.js';
import {
  BriefProject,
  CurrentProject,
  ProjectAbility,
} from '../workspace/projects/project-access.guard.js';
import type { BriefProjectRow } from '../workspace/projects/sql/project-statements.js';
import { ListEventsDto, ListOwnEventsDto } from './event.dto.js';
import { eventFormat, projectEventFormat } from './event.presenter.js';
import { showsActivity } from './pages/feed-reader.service.js';
import { VisibleEventsRepository } from './visible-events.repository.js';
import type { ProjectEventResponse, EventResponse } from './event.response.js';
import { NotFoundError } from '../core/errors.js';
import { UsersRepository } from '../identity/users/users.repository.js';

/** Events of a project, of a user and of the viewer. */
@Controller()
@Scopes('read_user')
export class EventsController {
  constructor(
    private readonly users: UsersRepository,
    private readonly events: VisibleEventsRepository,
  ) {}

  /** Lists the events of a project that the viewer can see. */
  @Get('projects/:id/events')
  @ProjectAbility('read_project')
  @BriefProject()
  async listOfProject(
    @CurrentProject() project: BriefProjectRow,
    @Input() filters: ListEventsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<JsonText<ProjectEventResponse[]>> {
    const { viewer } = presentation;
    const read = this.events.jsonReader(projectEventFormat(presentation));
    const list = { viewer, filters, paging, read };
    return paging.writeJson(await this.events.listOfProject(project, list));
  }

  /** Lists the viewer's events; with `scope=all` all events in the viewer's projects. */
  @Get('events')
  @Ability('signed_in')
  async listOwn(
    @Input() filters: ListOwnEventsDto,
    @CurrentUser() viewer: Viewer,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<JsonText<EventResponse[]>> {
    const read = this.events.jsonReader(eventFormat(presentation));
    const list = { viewer, filters, paging, read };
    const page = await (filters.scope === 'all'
      ? this.events.listOfMember(list)
      : this.events.listOfUser(viewer.id, list));
    return paging.writeJson(page);
  }

  /**
   * Lists the events of a user, by ID or username, that the viewer can see. Empty for blocked users
   * and private profiles.
   */
  @Get('users/:id/events')
  @Ability('anyone')
  async listOfUser(
    @Param('id') name: string,
    @Input() filters: ListEventsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<JsonText<EventResponse[]>> {
    const { viewer } = presentation;
    const wanted = parseIdOrPath(name);
    const user = await ('id' in wanted
      ? this.users.findDetails(wanted.id)
      : this.users.findByUsername(wanted.path));
    if (user === null) throw new NotFoundError('User');
    if (!showsActivity(user, viewer)) {
      return paging.writeJson({ items: [], hasNext: false, total: 0 });
    }
    const read = this.events.jsonReader(eventFormat(presentation));
    const list = { viewer, filters, paging, read };
    return paging.writeJson(await this.events.listOfUser(user.id, list));
  }
}
