import {
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  HttpCode,
  Inject,
  Post,
  Res,
  Param,
  Put,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { Auth, type AuthContext } from '../core/access/auth-context.js';
import { ACCEPTED, type Accepted } from '../core/http/http-response.js';
import { Ability, Scopes } from '../core/access/access.decorator.js';
import { ApiErrors, ApiResponses } from '../core/openapi/api.decorators.js';
import { mapPage } from '../core/pagination/page.js';
import { Pages, type Paging } from '../core/pagination/paging.decorator.js';
import { IntegerId } from '../core/params/ids.js';
import { Input } from '../core/params/input.decorator.js';
import {
  MoveContainersService,
  type ContainerName,
  NamedContainer,
} from './move-containers.service.js';
import { type BulkForecast, MoveDryRun, type MoveForecast } from './move-dry-run.service.js';
import { MOVE_KINDS, type MoveKind } from './move-kinds.js';
import { presentMove, type StorageMoveResponse } from './move.presenter.js';
import type { MoveRows } from './sql/move-rows.js';
import {
  ListMovesDto,
  ScheduleAllMovesDto,
  ScheduleMoveDto,
  UpdateStorageDto,
} from './storage-move.dto.js';
import { StorageMovesRepository } from './storage-moves.repository.js';
import { StorageMovesService } from './storage-moves.service.js';
import { IfUnmodified, type Preconditions } from '../core/preconditions.js';
import { StorageRegistry } from '../git/storage-registry.js';
import { StorageSettings } from './storage-settings.service.js';
import {
  type StorageResponse,
  type StorageSummaryResponse,
  presentLimits,
  StorageSummaries,
} from './storage-summary.service.js';

const MOVE_ID = 'repository_storage_move_id';

/** Paths below the moves of all containers of each kind: `project_repository_storage_moves`. */
function ofAll(rest = ''): string[] {
  return MOVE_KINDS.map((kind) => `${kind}_repository_storage_moves${rest}`);
}

/** Paths below the moves of one container of each kind: `projects/:id/repository_storage_moves`. */
function ofOne(rest = ''): string[] {
  return MOVE_KINDS.map((kind) => `${kind}s/:id/repository_storage_moves${rest}`);
}

/** The kind in the route's path: `list(@Kind() kind: MoveKind)`. */
const Kind = createParamDecorator((_: unknown, context: ExecutionContext): MoveKind => {
  const { path } = context.switchToHttp().getRequest<Request>().route as { path: string };
  const kind = MOVE_KINDS.find((each) => path.includes(`/${each}`));
  if (kind === undefined) throw new Error(`No kind of moves in ${path}`);
  return kind;
});

/** Moves of repositories, for administrators (API doc, Repository storage moves). */
@Controller()
@Scopes()
@Ability('administrate')
export class StorageMovesController {
  constructor(
    private readonly moves: StorageMovesRepository,
    private readonly containers: MoveContainersService,
    private readonly commands: StorageMovesService,
    private readonly dryRun: MoveDryRun,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Lists the moves of all projects, snippets or groups, newest first. */
  @Get(ofAll())
  async list(
    @Kind() kind: MoveKind,
    @Input() dto: ListMovesDto,
    @Pages() paging: Paging,
  ): Promise<StorageMoveResponse[]> {
    const page = await this.moves.list(kind, dto, paging);
    return paging.write(mapPage(page, (row) => this.present(kind, row)));
  }

  /** Shows a move. */
  @Get(ofAll(`/:${MOVE_ID}`))
  get(@Kind() kind: MoveKind, @IntegerId(MOVE_ID) id: number): Promise<StorageMoveResponse> {
    return this.find(kind, id);
  }

  /** Schedules moves of all projects, snippets or groups on a storage; a dry run only counts them. */
  @Post(ofAll())
  @ApiResponses(200, 202)
  async scheduleAll(
    @Kind() kind: MoveKind,
    @Input() dto: ScheduleAllMovesDto,
    @Auth() actor: AuthContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Accepted | BulkForecast> {
    const { source_storage_name: source, destination_storage_name: destination } = dto;
    if (dto.dry_run === true) {
      response.status(200);
      return this.dryRun.ofStorage({ kind, source, destination });
    }
    await this.commands.scheduleAll({ kind, source, destination }, actor);
    response.status(202);
    return ACCEPTED;
  }

  /** Cancels a move before it switches storages; a running one cleans up first. */
  @Post(ofAll(`/:${MOVE_ID}/cancel`))
  @HttpCode(200)
  @ApiErrors(409)
  async cancel(
    @Kind() kind: MoveKind,
    @IntegerId(MOVE_ID) id: number,
    @Auth() actor: AuthContext,
  ): Promise<StorageMoveResponse> {
    await this.commands.cancel(kind, id, actor);
    return this.find(kind, id);
  }

  /** Retries a failed move, as a new move. */
  @Post(ofAll(`/:${MOVE_ID}/retry`))
  @ApiErrors(409)
  async retry(
    @Kind() kind: MoveKind,
    @IntegerId(MOVE_ID) id: number,
    @Auth() actor: AuthContext,
  ): Promise<StorageMoveResponse> {
    return this.find(kind, await this.commands.retry(kind, id, actor));
  }

  /** Lists the moves of a project, snippet or group, newest first. */
  @Get(ofOne())
  async listOf(
    @Kind() kind: MoveKind,
    @NamedContainer() name: ContainerName,
    @Input() dto: ListMovesDto,
    @Pages() paging: Paging,
  ): Promise<StorageMoveResponse[]> {
    const containerId = await this.containers.find(kind, name);
    const page = await this.moves.list(kind, { ...dto, containerId }, paging);
    return paging.write(mapPage(page, (row) => this.present(kind, row)));
  }

  /** Shows a move of a project, snippet or group. */
  @Get(ofOne(`/:${MOVE_ID}`))
  async getOf(
    @Kind() kind: MoveKind,
    @NamedContainer() name: ContainerName,
    @IntegerId(MOVE_ID) id: number,
  ): Promise<StorageMoveResponse> {
    return this.find(kind, id, await this.containers.find(kind, name));
  }

  /** Schedules the move of a project, snippet or group; a dry run only predicts it. */
  @Post(ofOne())
  @ApiResponses(200, 201)
  async schedule(
    @Kind() kind: MoveKind,
    @NamedContainer() name: ContainerName,
    @Input() dto: ScheduleMoveDto,
    @Auth() actor: AuthContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StorageMoveResponse | MoveForecast> {
    const containerId = await this.containers.find(kind, name);
    const request = { kind, containerId, destination: dto.destination_storage_name };
    if (dto.dry_run === true) {
      response.status(200);
      return this.dryRun.ofContainer(request);
    }
    return this.find(kind, await this.commands.schedule(request, actor));
  }

  private async find(
    kind: MoveKind,
    id: number,
    containerId?: number,
  ): Promise<StorageMoveResponse> {
    return this.present(kind, await this.moves.findMove(kind, id, containerId));
  }

  private present<K extends MoveKind>(kind: K, row: MoveRows[K]): StorageMoveResponse {
    return presentMove(kind, row, this.config.baseUrl);
  }
}

/** Storages, their move limits and their load; additions to the specification. */
@Controller('storage_moves')
@Scopes()
@Ability('administrate')
export class StoragesController {
  constructor(
    private readonly summaries: StorageSummaries,
    private readonly settings: StorageSettings,
    private readonly storages: StorageRegistry,
  ) {}

  /** Lists all storages with their content and moves. */
  @Get('summary')
  summary(): Promise<StorageSummaryResponse[]> {
    return this.summaries.all();
  }

  /** Shows the limits of moves from and to a storage. */
  @Get('storages/:name')
  async get(@Param('name') name: string): Promise<StorageResponse> {
    const limits = await this.settings.get(name);
    return presentLimits(name, this.storages.get(name).weight, limits);
  }

  /**
   * Updates the limits of moves from and to a storage. Omitted attributes are unchanged and unknown
   * names are a 400.
   */
  @Put('storages/:name')
  async update(
    @Param('name') name: string,
    @Input({ refusesUnknown: true }) dto: UpdateStorageDto,
    @Auth() actor: AuthContext,
    @IfUnmodified() preconditions: Preconditions,
  ): Promise<StorageResponse> {
    const limits = await this.settings.update({ name, preconditions }, dto, actor);
    return presentLimits(name, this.storages.get(name).weight, limits);
  }
}
