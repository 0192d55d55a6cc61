import { Controller, Delete, Get, HttpCode, Put } from '@nestjs/common';
import { Scopes } from '../core/access/access.decorator.js';
import type { AuthContext } from '../core/access/auth-context.js';
import { Auth } from '../core/access/viewer.decorator.js';
import { InvalidParamsError } from '../core/errors.js';
import { Input } from '../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../core/preconditions.js';
import { Presenting, type Presentation } from '../core/presentation.js';
import { UPDATABLE_ATTRIBUTES, UpdateProjectDto } from './dto/update-project.dto.js';
import { CurrentProject, ProjectAbility } from './project-access.guard.js';
import { ProjectDeletionService } from './project-deletion.service.js';
import { ProjectLookup } from './project-lookup.service.js';
import type { ProjectRow } from './project-row.js';
import { ProjectUpdateService } from './project-update.service.js';
import { presentProjectBasic, presentProjectWithAccess } from './project.presenter.js';

/** One project: reading, changing, deleting. */
@Controller('projects/:id')
@Scopes()
export class ProjectsController {
  constructor(
    private readonly lookup: ProjectLookup,
    private readonly updates: ProjectUpdateService,
    private readonly deletion: ProjectDeletionService,
  ) {}

  @Get()
  @ProjectAbility('read_project')
  show(@CurrentProject() project: ProjectRow, @Presenting() presentation: Presentation): object {
    const present = presentation.viewer === null ? presentProjectBasic : presentProjectWithAccess;
    return present(project, presentation);
  }

  @Put()
  @ProjectAbility('admin_project')
  async update(
    @CurrentProject() project: ProjectRow,
    @Input() dto: UpdateProjectDto,
    @Auth() auth: AuthContext,
    @Presenting() presentation: Presentation,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<object> {
    assertSomethingGiven(dto);
    preconditions.check(project.updatedAt);
    await this.updates.update(project, dto, auth);
    const updated = await this.lookup.get(project.id, auth.viewer?.id ?? null);
    return presentProjectWithAccess(updated, presentation);
  }

  @Delete()
  @HttpCode(202)
  @ProjectAbility('own_project')
  async delete(
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<object> {
    preconditions.check(project.updatedAt);
    await this.deletion.request(project, auth);
    return { message: '202 Accepted' };
  }
}

function assertSomethingGiven(dto: UpdateProjectDto): void {
  if (UPDATABLE_ATTRIBUTES.some((name) => dto[name] !== undefined)) return;
  const names = UPDATABLE_ATTRIBUTES.join(', ');
  throw new InvalidParamsError([`${names} are missing, at least one parameter must be provided`]);
}
