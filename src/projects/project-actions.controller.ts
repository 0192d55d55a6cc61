import { Controller, Post, Put } from '@nestjs/common';
import { Scopes } from '../core/access/access.decorator.js';
import type { AuthContext } from '../core/access/auth-context.js';
import { Auth } from '../core/access/viewer.decorator.js';
import { Input } from '../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../core/preconditions.js';
import { ResponseContext } from '../core/response-context.js';
import { TransferProjectDto } from './dto/transfer-project.dto.js';
import type { PresentedProject } from './presented-project.js';
import { CurrentProject, ProjectAbility } from './project-access.guard.js';
import { ProjectArchivingService } from './project-archiving.service.js';
import { type ProjectRow, ProjectsRepository } from './projects.repository.js';
import { ProjectTransferService } from './project-transfer.service.js';
import { presentProjectWithAccess } from './project.presenter.js';

/** Actions of owners on a whole project. */
@Controller('projects/:id')
@Scopes()
@ProjectAbility('own_project')
export class ProjectActionsController {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly archiving: ProjectArchivingService,
    private readonly transfers: ProjectTransferService,
  ) {}

  /** Archives a project, which becomes read-only for everyone. */
  @Post('archive')
  async archive(
    @CurrentProject() { id }: ProjectRow,
    @Auth() auth: AuthContext,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<PresentedProject> {
    await this.archiving.setArchived(id, true, auth);
    return this.answer(id, presentation);
  }

  /** Makes an archived project writable again. */
  @Post('unarchive')
  async unarchive(
    @CurrentProject() { id }: ProjectRow,
    @Auth() auth: AuthContext,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<PresentedProject> {
    await this.archiving.setArchived(id, false, auth);
    return this.answer(id, presentation);
  }

  /** Transfers a project to another namespace; its former path redirects. */
  @Put('transfer')
  async transfer(
    @CurrentProject() project: ProjectRow,
    @Input() dto: TransferProjectDto,
    @Auth() auth: AuthContext,
    @ResponseContext() presentation: ResponseContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<PresentedProject> {
    preconditions.check(project.updatedAt);
    await this.transfers.transfer(project, dto.namespace, auth);
    return this.answer(project.id, presentation);
  }

  private async answer(id: number, presentation: ResponseContext): Promise<PresentedProject> {
    const project = await this.projects.getById(id, presentation.viewer?.id ?? null);
    return presentProjectWithAccess(project, presentation);
  }
}
