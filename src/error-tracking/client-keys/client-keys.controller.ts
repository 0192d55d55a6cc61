import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { Scopes } from '../../core/access/access.decorator.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { presentClientKey, type ClientKeyResponse } from './client-key.presenter.js';
import { ClientKeysRepository } from './client-keys.repository.js';
import { ClientKeys } from './client-keys.service.js';
import { DeleteClientKeyDto, KeyId } from './client-key.dto.js';

/** Keys by which programs report errors to a project; for its maintainers. */
@Controller('projects/:id/error_tracking/client_keys')
@Scopes()
@ProjectAbility('admin_error_tracking', 'signed_in')
export class ClientKeysController {
  constructor(
    private readonly repository: ClientKeysRepository,
    private readonly keys: ClientKeys,
  ) {}

  /** Lists the client keys of a project, oldest first. */
  @Get()
  async list(
    @CurrentProject() { id }: ProjectRow,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<ClientKeyResponse[]> {
    const page = await this.repository.page(id, paging);
    return paging.write(mapPage(page, (key) => presentClientKey(key, baseUrl)));
  }

  /** Creates a client key; at most 50 per project. */
  @Post()
  async create(
    @CurrentProject() { id }: ProjectRow,
    @ResponseContext() { baseUrl }: ResponseContext,
    @Auth() auth: AuthContext,
  ): Promise<ClientKeyResponse> {
    return presentClientKey(await this.keys.create({ id }, auth), baseUrl);
  }

  /** Deletes a client key, which is rejected from then on. */
  @Delete(':key_id')
  @HttpCode(200)
  async delete(
    @CurrentProject() { id: projectId }: ProjectRow,
    @KeyId() id: number,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<ClientKeyResponse> {
    const key = await this.keys.delete({ projectId, id, preconditions }, auth);
    return presentClientKey(key, baseUrl);
  }

  /** Deletes the client key of a parameter; otherwise the same as by its path. */
  @Delete()
  @HttpCode(200)
  async deleteNamed(
    @CurrentProject() { id: projectId }: ProjectRow,
    @Input() { key_id: id }: DeleteClientKeyDto,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
    @ResponseContext() { baseUrl }: ResponseContext,
  ): Promise<ClientKeyResponse> {
    const key = await this.keys.delete({ projectId, id, preconditions }, auth);
    return presentClientKey(key, baseUrl);
  }
}
