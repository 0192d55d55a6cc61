import { Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Ability, Scopes } from '../core/access/access.decorator.js';
import type { AuthContext } from '../core/access/auth-context.js';
import { Auth } from '../core/access/viewer.decorator.js';
import { Pages, type Paging } from '../core/pagination/paging.decorator.js';
import { IntegerId } from '../core/params/ids.js';
import { Input } from '../core/params/input.decorator.js';
import { NamedContainer, type ContainerName } from './container-name.decorator.js';
import { ListMovesDto } from './dto/list-moves.dto.js';
import { ScheduleAllMovesDto } from './dto/schedule-all-moves.dto.js';
import { ScheduleMoveDto } from './dto/schedule-move.dto.js';
import { MoveEndpoints } from './move-endpoints.service.js';

const MOVES = 'project_repository_storage_moves';
const OF_CONTAINER = 'projects/:id/repository_storage_moves';
const MOVE_ID = 'repository_storage_move_id';

/** Moves of projects' repositories, for administrators (API doc, Repository storage moves). */
@Controller()
@Scopes()
@Ability('administrate')
export class ProjectStorageMovesController {
  constructor(private readonly moves: MoveEndpoints) {}

  @Get(MOVES)
  list(@Input() dto: ListMovesDto, @Pages() paging: Paging): Promise<object[]> {
    return this.moves.list('project', dto, paging);
  }

  @Get(`${MOVES}/:${MOVE_ID}`)
  get(@IntegerId(MOVE_ID) id: number): Promise<object> {
    return this.moves.get('project', id);
  }

  @Post(MOVES)
  scheduleAll(
    @Input() dto: ScheduleAllMovesDto,
    @Auth() actor: AuthContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.moves.scheduleAll('project', { dto, actor, response });
  }

  @Post(`${MOVES}/:${MOVE_ID}/cancel`)
  @HttpCode(200)
  cancel(@IntegerId(MOVE_ID) id: number, @Auth() actor: AuthContext): Promise<object> {
    return this.moves.cancel('project', id, actor);
  }

  @Post(`${MOVES}/:${MOVE_ID}/retry`)
  retry(@IntegerId(MOVE_ID) id: number, @Auth() actor: AuthContext): Promise<object> {
    return this.moves.retry('project', id, actor);
  }

  @Get(OF_CONTAINER)
  listOf(
    @NamedContainer() name: ContainerName,
    @Input() dto: ListMovesDto,
    @Pages() paging: Paging,
  ): Promise<object[]> {
    return this.moves.listOf('project', name, { dto, paging });
  }

  @Get(`${OF_CONTAINER}/:${MOVE_ID}`)
  getOf(
    @NamedContainer() name: ContainerName,
    @IntegerId(MOVE_ID) moveId: number,
  ): Promise<object> {
    return this.moves.getOf('project', name, moveId);
  }

  @Post(OF_CONTAINER)
  schedule(
    @NamedContainer() name: ContainerName,
    @Input() dto: ScheduleMoveDto,
    @Auth() actor: AuthContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return this.moves.schedule('project', name, { dto, actor, response });
  }
}
