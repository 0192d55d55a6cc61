import { Controller, Get, Param } from '@nestjs/common';
import { Page } from '../../core/access/page.decorator.js';
import { NotFoundError } from '../../core/errors.js';
import { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/root-path.js';
import { Context } from '../../core/ui/context.decorator.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { UsersRepository } from '../../identity/users/users.repository.js';
import { VisibleEventsRepository } from '../visible-events.repository.js';
import { showsActivity } from '../profile-visibility.js';

/** Contributions as JSON, for other calendars. */
@Controller(atRoot('users/:username/calendar.json'))
@Page('anyone')
export class CalendarController {
  constructor(
    private readonly users: UsersRepository,
    private readonly events: VisibleEventsRepository,
  ) {}

  /** Days of the last twelve months and their contributions; none of people who show nothing. */
  @Get()
  async show(
    @Context() { viewer }: PageContext,
    @Param('username') username: string,
  ): Promise<HttpResponse<Record<string, number>>> {
    const user = await this.users.findByUsername(username);
    if (user === null) throw new NotFoundError('User');
    const isShown = showsActivity(user, viewer);
    const days = isShown ? await this.events.contributionDays(user.id, viewer) : [];
    return new HttpResponse(200, Object.fromEntries(days.map(({ day, count }) => [day, count])));
  }
}
