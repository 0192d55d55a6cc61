import { Controller, Get, Param } from '@nestjs/common';
import { Page } from '../../core/access/page.decorator.js';
import { NotFoundError } from '../../core/errors.js';
import { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { UsersRepository } from '../../users/users.repository.js';
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
    @Shell() { viewer }: PageShell,
    @Param('username') username: string,
  ): Promise<Answer<Record<string, number>>> {
    const user = await this.users.findByUsername(username);
    if (user === null) throw new NotFoundError('User');
    const isShown = showsActivity(user, viewer);
    const days = isShown ? await this.events.contributionDays(user.id, viewer) : [];
    return new Answer(200, Object.fromEntries(days.map(({ day, count }) => [day, count])));
  }
}
