import { Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Ability, Scopes } from '../core/access/access.decorator.js';
import type { AuthContext } from '../core/access/auth-context.js';
import type { Accepted } from '../core/accepted.js';
import { Auth } from '../core/access/viewer.decorator.js';
import { ApiErrors, ApiResponses } from '../core/openapi/api.decorators.js';
import { Pages, type Paging } from '../core/pagination/paging.decorator.js';
import { IntegerId } from '../core/params/ids.js';
import { Input } from '../core/params/input.decorator.js';
import { type ContainerName, NamedContainer } from './container-finder.service.js';
import { ListMovesDto, ScheduleAllMovesDto, ScheduleMoveDto } from './storage-move.dto.js';
import { MoveEndpoints } from './move-endpoints.service.js';
import type { BulkForecast, MoveForecast } from './move-dry-run.service.js';
import type { GroupMoveResponse } from './move.presenter.js';

const MOVES = 'group_repository_storage_moves';
const OF_CONTAINER = 'groups/:id/repository_storage_moves';
const MOVE_ID = 'repository_storage_move_id';

/** Moves of groups' wiki repositories, for administrators (API doc, Repository storage moves). */
@Controller()
@Scopes()
@Ability('administrate')
export class GroupStorageMovesController {
  constructor(private readonly moves: MoveEndpoints) {}

  /** Lists the moves of all groups, newest first. */
  @Get(MOVES)
  list(@Input() dto: ListMovesDto, @Pages() paging: Paging): Promise<GroupMoveResponse[]> {
    return this.moves.list('group', dto, paging);
  }

  /** Shows a move of a group's wiki repository. */
  @Get(`${MOVES}/:${MOVE_ID}`)
  get(@IntegerId(MOVE_ID) id: number): Promise<GroupMoveResponse> {
    return this.moves.get('group', id);
  }

  /** Schedules moves of all groups on a storage; a dry run only counts them. */
  @Post(MOVES)
  @ApiResponses(200, 202)
  scheduleAll(
    @Input() dto: ScheduleAllMovesDto,
    @Auth() actor: AuthContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Accepted | BulkForecast> {
    return this.moves.scheduleAll('group', { dto, actor, response });
  }

  /** Cancels a move before it switches storages; a running one cleans up first. */
  @Post(`${MOVES}/:${MOVE_ID}/cancel`)
  @HttpCode(200)
  @ApiErrors(409)
  cancel(@IntegerId(MOVE_ID) id: number, @Auth() actor: AuthContext): Promise<GroupMoveResponse> {
    return this.moves.cancel('group', id, actor);
  }

  /** Retries a failed move, as a new move. */
  @Post(`${MOVES}/:${MOVE_ID}/retry`)
  @ApiErrors(409)
  retry(@IntegerId(MOVE_ID) id: number, @Auth() actor: AuthContext): Promise<GroupMoveResponse> {
    return this.moves.retry('group', id, actor);
  }

  /** Lists the moves of a group, newest first. */
  @Get(OF_CONTAINER)
  listOf(
    @NamedContainer() name: ContainerName,
    @Input() dto: ListMovesDto,
    @Pages() paging: Paging,
  ): Promise<GroupMoveResponse[]> {
    return this.moves.listOf('group', name, { dto, paging });
  }

  /** Shows a move of a group. */
  @Get(`${OF_CONTAINER}/:${MOVE_ID}`)
  getOf(
    @NamedContainer() name: ContainerName,
    @IntegerId(MOVE_ID) moveId: number,
  ): Promise<GroupMoveResponse> {
    return this.moves.getOf('group', name, moveId);
  }

  /** Schedules the move of a group; a dry run only predicts it. */
  @Post(OF_CONTAINER)
  @ApiResponses(200, 201)
  schedule(
    @NamedContainer() name: ContainerName,
    @Input() dto: ScheduleMoveDto,
    @Auth() actor: AuthContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GroupMoveResponse | MoveForecast> {
    return this.moves.schedule('group', name, { dto, actor, response });
  }
}
