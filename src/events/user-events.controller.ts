import { Controller, Get, Param } from '@nestjs/common';
import { Ability, Scopes } from '../core/access/access.decorator.js';
import { NotFoundError } from '../core/errors.js';
import { mapPage } from '../core/pagination/page.js';
import { Pages, type Paging } from '../core/pagination/paging.decorator.js';
import { parseIdOrPath } from '../core/params/ids.js';
import { Input } from '../core/params/input.decorator.js';
import { ResponseContext } from '../core/response-context.js';
import type { UserDetails } from '../identity/users/user.presenter.js';
import { UsersRepository } from '../identity/users/users.repository.js';
import { ListEventsDto } from './event.dto.js';
import { presentEvent } from './event.presenter.js';
import { VisibleEventsRepository } from './visible-events.repository.js';
import type { EventResponse } from './event.response.js';
import { showsActivity } from './profile-visibility.js';

/** Events of a user. */
@Controller('users/:id/events')
@Scopes('read_user')
@Ability('anyone')
export class UserEventsController {
  constructor(
    private readonly users: UsersRepository,
    private readonly events: VisibleEventsRepository,
  ) {}

  /**
   * Lists the events of a user, by ID or username, that the viewer can see. Empty for blocked users
   * and private profiles.
   */
  @Get()
  async list(
    @Param('id') name: string,
    @Input() filters: ListEventsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<EventResponse[]> {
    const { viewer } = presentation;
    const user = await this.find(name);
    if (!showsActivity(user, viewer)) return paging.write({ items: [], hasNext: false, total: 0 });
    const page = await this.events.listOfUser(user.id, { viewer, filters, paging });
    return paging.write(mapPage(page, (row) => presentEvent(row, presentation)));
  }

  private async find(name: string): Promise<UserDetails> {
    const wanted = parseIdOrPath(name);
    const user = await ('id' in wanted
      ? this.users.findDetails(wanted.id)
      : this.users.findByUsername(wanted.path));
    if (user === null) throw new NotFoundError('User');
    return user;
  }
}
