import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Post,
  createParamDecorator,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../core/access/auth-context.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { INVALID, toInteger } from '../../core/params/coerce.js';
import { pathParam } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { IfUnmodified, type Preconditions } from '../../core/preconditions.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { ClientKeysRepository, type ClientKey } from './client-keys.repository.js';
import { declare } from '../../core/params/params.decorator.js';
import { ClientKeys } from './client-keys.service.js';
import { dsnOf } from './dsn.js';

/** Client key of a project (API doc, Error tracking client key). */
interface ClientKeyResponse {
  id: number;
  /** Marks keys that are accepted. */
  active: boolean;
  /** @example "glet_1f0f7b9d3f5b4f0d9c7d2a6e8b4c1a2d" */
  public_key: string;
  /**
   * DSN for SDKs.
   * @example "https://glet_1f0f7b9d3f5b4f0d9c7d2a6e8b4c1a2d@guildhall.example.com/api/v4/error_tracking/collector/42"
   */
  tracker_dsn: string;
}

/** Presents a client key: for maintainers only. */
function presentClientKey(key: ClientKey, baseUrl: string): ClientKeyResponse {
  return {
    id: key.id,
    active: key.active,
    public_key: key.publicKey,
    tracker_dsn: dsnOf(key, baseUrl),
  };
}

/** No row has it. */
const NO_KEY = -1;

/**
 * The id of a key as it was sent; what is no number is an id that no key has. Returns null for the
 * empty text, as every integer parameter.
 */
function toKeyId(value: unknown): unknown {
  const id = toInteger(value);
  return id === INVALID ? NO_KEY : id;
}

/** The key that the path names: `delete(@KeyId() id: number)`. What is no number names none. */
const KeyId = createParamDecorator((_: unknown, context: ExecutionContext): unknown =>
  toKeyId(pathParam(context.switchToHttp().getRequest<Request>(), 'key_id')),
);

/** DELETE of a client key that the path does not name. */
class DeleteClientKeyDto {
  /** ID of the key. */
  @declare({ kind: 'integer', required: true }, toKeyId, () => null)
  key_id: number;
}

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
