import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { AvatarWidthDto } from '../../core/avatars/avatar.dto.js';
import { Avatars } from '../../core/avatars/avatars.service.js';
import { atRoot } from '../../core/http/paths.js';
import { ApiErrors, ApiProduces } from '../../core/openapi/api.decorators.js';
import { Input } from '../../core/params/input.decorator.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import { CurrentProject, ProjectAbility } from './project-access.guard.js';
import type { ProjectRow } from './projects.repository.js';

/** Avatars of projects, for those who can see the project. */
@Controller()
@Scopes()
@ProjectAbility('read_project')
export class ProjectAvatarsController {
  constructor(private readonly avatars: Avatars) {}

  /** Sends a project's avatar. */
  @Get('projects/:id/avatar')
  @ApiProduces('image/webp')
  async download(@CurrentProject() project: ProjectRow, @Res() response: Response): Promise<void> {
    await this.send(response, project, { file: null, width: null });
  }

  /** Sends a project's avatar by its `avatar_url`. */
  @Get(atRoot('uploads/-/system/project/avatar/:id/:file_name'))
  @ApiProduces('image/webp')
  @ApiErrors(301, 400, 401, 403, 404, 429)
  async show(
    @CurrentProject() project: ProjectRow,
    @Param('file_name') file: string,
    @Input() { width }: AvatarWidthDto,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(response, project, { file, width: width ?? null });
  }

  private send(
    response: Response,
    owner: ProjectRow,
    asked: { file: string | null; width: number | null },
  ): Promise<void> {
    const isPrivate = owner.visibility !== VISIBILITY.public;
    return this.avatars.send(response, { kind: 'project', owner, isPrivate, ...asked });
  }
}
