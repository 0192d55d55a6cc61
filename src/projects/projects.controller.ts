import { Controller, Delete, Get, HttpCode, Put } from '@nestjs/common';
import { ACCEPTED, type Accepted } from '../core/accepted.js';
import { Scopes } from '../core/access/access.decorator.js';
import type { AuthContext } from '../core/access/auth-context.js';
import { Refuses } from '../core/access/refuses.decorator.js';
import { Auth } from '../core/access/viewer.decorator.js';
import { Input } from '../core/params/input.decorator.js';
import { assertSomethingGiven } from '../core/params/something-given.js';
import { IfUnmodified, type Preconditions } from '../core/preconditions.js';
import { ResponseContext } from '../core/response-context.js';
import { UPDATABLE_ATTRIBUTES, UpdateProjectDto } from './dto/update-project.dto.js';
import type { PresentedProject, PresentedProjectBasic } from './presented-project.js';
import { CurrentProject, ProjectAbility } from './project-access.guard.js';
import { ProjectDeletionService } from './project-deletion.service.js';
import { type ProjectRow, ProjectsRepository } from './projects.repository.js';
import { ProjectUpdateService } from './project-update.service.js';
import { presentProjectBasic, presentProjectWithAccess } from './project.presenter.js';

/** One project: reading, changing, deleting. */
@Controller('projects/:id')
@Scopes()
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly updates: ProjectUpdateService,
    private readonly deletion: ProjectDeletionService,
  ) {}

  /** Shows a project: in short form for anonymous requests. */
  @Get()
  @ProjectAbility('read_project')
  async show(
    @CurrentProject() project: ProjectRow,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<PresentedProjectBasic | PresentedProject> {
    if (presentation.viewer === null) return presentProjectBasic(project, presentation);
    return presentProjectWithAccess(await this.projects.withCounts(project), presentation);
  }

  /**
   * Changes a project. Name, path, visibility and `emails_enabled` require the Owner role; another
   * `repository_storage`, from an administrator, schedules a move.
   */
  @Put()
  @Refuses(409)
  @ProjectAbility('admin_project')
  async update(
    @CurrentProject() project: ProjectRow,
    @Input() dto: UpdateProjectDto,
    @Auth() auth: AuthContext,
    @ResponseContext() presentation: ResponseContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<PresentedProject> {
    assertSomethingGiven(dto, UPDATABLE_ATTRIBUTES);
    preconditions.check(project.updatedAt);
    await this.updates.update(project, dto, auth);
    const updated = await this.projects.getById(project.id, auth.viewer?.id ?? null);
    return presentProjectWithAccess(updated, presentation);
  }

  /** Deletes a project. It is hidden immediately and removed in the background. */
  @Delete()
  @HttpCode(202)
  @Refuses(409)
  @ProjectAbility('own_project')
  async delete(
    @CurrentProject() project: ProjectRow,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<Accepted> {
    preconditions.check(project.updatedAt);
    await this.deletion.request(project, auth);
    return ACCEPTED;
  }
}
