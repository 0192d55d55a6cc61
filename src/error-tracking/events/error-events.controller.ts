import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { ApiProduces } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import {
  presentErrorEvent,
  presentEventOfError,
  presentStackTrace,
  presentEventDetails,
} from './error-event.presenter.js';
import { ErrorGroupsRepository } from '../errors/error-groups.repository.js';
import { ErrorEventsRepository } from './error-events.repository.js';
import type {
  ErrorEventResponse,
  EventOfErrorResponse,
  StackTraceResponse,
  EventDetailsResponse,
} from './event.response.js';
import { NotFoundError } from '../../core/errors.js';
import { EventReading } from './event-reading.service.js';
import { unpackText, type StoredEvent } from './stored-event.js';

/** The stored events of a project's errors, for members from the role reporter. */
@Controller('projects/:id/error_tracking')
@Scopes()
@ProjectAbility('read_error')
export class ErrorEventsController {
  constructor(
    private readonly errors: ErrorGroupsRepository,
    private readonly events: ErrorEventsRepository,
    private readonly reading: EventReading,
  ) {}

  /** Lists the stored events of an error, newest first. Events of frequent errors are sampled. */
  @Get('errors/:error_id/events')
  async list(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') errorId: number,
    @Pages() paging: Paging,
  ): Promise<ErrorEventResponse[]> {
    const error = await this.errors.getOwner(project.id, errorId);
    return paging.write(mapPage(await this.events.page(error, paging), presentErrorEvent));
  }

  /** Shows an event of an error by its ID, or its `latest` or `oldest` one. */
  @Get('errors/:error_id/events/:event_id')
  async show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') errorId: number,
    @Param('event_id') ref: string,
  ): Promise<EventOfErrorResponse> {
    const error = await this.errors.getOwner(project.id, errorId);
    const { event, details, neighbours } = await this.reading.withNeighbours(error, ref);
    return presentEventOfError(event, details, neighbours);
  }

  /** Sends the stored payload of an event, after data scrubbing. */
  @Get('errors/:error_id/events/:event_id/raw')
  @ApiProduces('application/json')
  async sendRaw(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') errorId: number,
    @Param('event_id') ref: string,
    @Res() response: Response,
  ): Promise<void> {
    const error = await this.errors.getOwner(project.id, errorId);
    await sendRawEvent(response, await this.events.get(error, ref));
  }

  /** Shows the stack trace of an error's newest event. */
  @Get('errors/:error_id/stack_trace')
  async stackTrace(
    @CurrentProject() project: ProjectRow,
    @IntegerId('error_id') errorId: number,
  ): Promise<StackTraceResponse> {
    const error = await this.errors.getOwner(project.id, errorId);
    const { event, details } = await this.reading.ofError(error, 'latest');
    return presentStackTrace(event, details);
  }

  /** Shows an event by its ID, of any error of the project. */
  @Get('events/:event_id')
  async find(
    @CurrentProject() project: ProjectRow,
    @Param('event_id') eventId: string,
  ): Promise<EventDetailsResponse> {
    const { event, details } = await this.reading.ofProject(project.id, eventId);
    return presentEventDetails(event, details);
  }
}

/**
 * Sends the stored JSON of an event as a download: browsers must not display it. Throws 404 if its
 * bytes are unreadable.
 */
async function sendRawEvent(response: Response, event: StoredEvent): Promise<void> {
  const text = await unpackText(event);
  if (text === null) throw new NotFoundError('Event Payload');
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  response.setHeader('Content-Disposition', `attachment; filename="${event.eventId}.json"`);
  response.setHeader('Content-Length', String(text.length));
  response.end(text);
}
