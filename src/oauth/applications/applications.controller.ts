import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../core/access/auth-context.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { ReadsPrimary } from '../../core/sql/replica/request-reads.js';
import {
  OAuthApplicationsRepository,
  type ApplicationDetails,
} from '../oauth-applications.repository.js';
import { ApplicationsService, type NewSecret } from './applications.service.js';
import { CreateApplicationDto } from '../oauth.dto.js';

/** Applications of the whole instance, for administrators. */
@ReadsPrimary()
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

/** OAuth application. */
interface ApplicationResponse {
  /** ID for this API; not the `client_id`. */
  id: number;
  /**
   * The `client_id`.
   * @example "5e1a4c0d9b7f3862a4c0d9b7f38625e1a4c0d9b7f38625e1a4c0d9b7f38625e1"
   */
  application_id: string;
  /** @example "Timesheets" */
  application_name: string;
  /**
   * Redirect URIs, separated by line breaks.
   * @example "https://timesheets.example.com/callback"
   */
  callback_url: string;
  /** True if it can keep a secret; others must use PKCE. */
  confidential: boolean;
  /**
   * Scopes that it can request.
   * @example ["read_user", "openid"]
   */
  scopes: string[];
}

/** OAuth application with a new secret. */
interface NewApplicationResponse extends ApplicationResponse {
  /**
   * The `client_secret`, shown only once.
   * @example "svcoas-0123456789abcdefghijklmnopqrstuv"
   */
  secret: string;
}

/** An application as administrators see it. */
function presentApplication(application: ApplicationDetails): ApplicationResponse {
  return {
    id: application.id,
    application_id: application.uid,
    application_name: application.name,
    callback_url: application.redirectUris.join('\n'),
    confidential: application.confidential,
    scopes: application.scopes,
  };
}

/** The same with the secret: for the answer to its making only. */
function presentNewApplication({ application, secret }: NewSecret): NewApplicationResponse {
  return Object.assign(presentApplication(application), { secret });
}
