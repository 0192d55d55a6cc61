import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import {
  presentApplication,
  presentNewApplication,
  type ApplicationResponse,
  type NewApplicationResponse,
} from './application.presenter.js';
import { OAuthApplicationsRepository } from '../oauth-applications.repository.js';
import { ApplicationsService } from './applications.service.js';
import { CreateApplicationDto } from './application.dto.js';

/** Applications of the whole instance, for administrators. */
@Controller('applications')
@Scopes()
@Ability('administrate')
export class ApplicationsController {
  constructor(
    private readonly applications: OAuthApplicationsRepository,
    private readonly service: ApplicationsService,
  ) {}

  /** Lists instance-wide applications, without their secrets. */
  @Get()
  async list(@Pages() paging: Paging): Promise<ApplicationResponse[]> {
    const page = await this.applications.list(null, paging);
    return paging.write(mapPage(page, presentApplication));
  }

  /** Creates an instance-wide application. */
  @Post()
  async create(
    @Input() { name, redirect_uri: redirectUri, scopes, confidential }: CreateApplicationDto,
    @Auth() auth: AuthContext,
  ): Promise<NewApplicationResponse> {
    const input = {
      name,
      redirectUri,
      scopes: scopes.split(/\s+/),
      confidential: confidential ?? true,
      trusted: false,
      ownerId: null,
    };
    return presentNewApplication(await this.service.create(input, auth));
  }

  /** Deletes an instance-wide application with all of its tokens. */
  @Delete(':id')
  @HttpCode(204)
  async delete(
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<void> {
    await this.service.delete({ id, ownerId: null }, auth, preconditions);
  }

  /**
   * Renews the secret of an instance-wide application; the old secret stops working immediately.
   */
  @Post(':id/renew-secret')
  @HttpCode(200)
  async renewSecret(
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
  ): Promise<NewApplicationResponse> {
    return presentNewApplication(await this.service.renewSecret({ id, ownerId: null }, auth));
  }
}
