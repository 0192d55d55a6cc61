import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../core/access/access.decorator.js';
import { mapPage } from '../core/pagination/page.js';
import { Pages, type Paging } from '../core/pagination/paging.decorator.js';
import { Input } from '../core/params/input.decorator.js';
import { ResponseContext } from '../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../workspace/projects/projects.repository.js';
import { ListEventsDto } from './event.dto.js';
import { presentProjectEvent } from './event.presenter.js';
import { VisibleEventsRepository } from './visible-events.repository.js';
import type { ProjectEventResponse } from './event.response.js';

/** Events of a project. */
@Controller('projects/:id/events')
@Scopes('read_user')
@ProjectAbility('read_project')
export class ProjectEventsController {
  constructor(private readonly events: VisibleEventsRepository) {}

  /** Lists the events of a project that the viewer can see. */
  @Get()
  async list(
    @CurrentProject() project: ProjectRow,
    @Input() filters: ListEventsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<ProjectEventResponse[]> {
    const { viewer } = presentation;
    const page = await this.events.listOfProject(project, { viewer, filters, paging });
    return paging.write(mapPage(page, (row) => presentProjectEvent(row, presentation)));
  }
}
