import { Controller, Get, Param } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { presentEventDetails } from './error-event.presenter.js';
import { EventReading } from './event-reading.service.js';
import type { EventDetailsResponse } from './event.response.js';

/** Events by nothing but the id that an SDK showed: how support finds the error of a user. */
@Controller('projects/:id/error_tracking/events/:event_id')
@Scopes()
@ProjectAbility('read_error')
export class EventLookupController {
  constructor(private readonly reading: EventReading) {}

  /** Shows an event by its ID, of any error of the project. */
  @Get()
  async show(
    @CurrentProject() project: ProjectRow,
    @Param('event_id') eventId: string,
  ): Promise<EventDetailsResponse> {
    const { event, details } = await this.reading.ofProject(project.id, eventId);
    return presentEventDetails(event, details);
  }
}
