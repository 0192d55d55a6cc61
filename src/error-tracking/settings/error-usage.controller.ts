import { Controller, Get } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { ErrorUsage, type ErrorUsageResponse } from './error-usage.service.js';
import { ListUsageDto } from './error-usage.dto.js';

const USUAL_DAYS = 30;

/** Usage of a project's error tracking; for its maintainers. */
@Controller('projects/:id/error_tracking/usage')
@Scopes()
@ProjectAbility('admin_error_tracking', 'signed_in')
export class ErrorUsageController {
  constructor(private readonly usage: ErrorUsage) {}

  /** Lists the usage of error tracking by day, outcome, category and reason. */
  @Get()
  list(
    @CurrentProject() project: ProjectRow,
    @Input() { days }: ListUsageDto,
  ): Promise<ErrorUsageResponse[]> {
    return this.usage.lastDays(project.id, days ?? USUAL_DAYS);
  }
}
