import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { ACCEPTED, type Accepted } from '../core/accepted.js';
import type { AuthContext } from '../core/access/auth-context.js';
import { mapPage } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import type { ListMovesDto, ScheduleAllMovesDto, ScheduleMoveDto } from './storage-move.dto.js';
import { ContainerFinder } from './container-finder.service.js';
import type { ContainerName } from './container-name.decorator.js';
import { StorageMovesRepository } from './storage-moves.repository.js';
import type { BulkForecast, MoveForecast } from './move-forecast.js';
import { MoveRequests } from './move-requests.service.js';
import type { MoveRows } from './sql/move-rows.js';
import type { MoveKind } from './move-states.js';
import { presentMove } from './move.presenter.js';
import type { PresentedMoves } from './presented-move.js';

/** What the endpoints of the three kinds have in common, from parameters to the body. */
@Injectable()
export class MoveEndpoints {
  constructor(
    private readonly moves: StorageMovesRepository,
    private readonly containers: ContainerFinder,
    private readonly requests: MoveRequests,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async list<K extends MoveKind>(
    kind: K,
    dto: ListMovesDto,
    paging: Paging,
  ): Promise<PresentedMoves[K][]> {
    const page = await this.moves.list(kind, dto, paging);
    return paging.write(mapPage(page, (row) => this.present(kind, row)));
  }

  async get<K extends MoveKind>(kind: K, id: number): Promise<PresentedMoves[K]> {
    return this.present(kind, await this.moves.findMove(kind, id));
  }

  async listOf<K extends MoveKind>(
    kind: K,
    name: ContainerName,
    { dto, paging }: ListQuery,
  ): Promise<PresentedMoves[K][]> {
    const containerId = await this.containers.find(kind, name);
    const page = await this.moves.list(kind, { ...dto, containerId }, paging);
    return paging.write(mapPage(page, (row) => this.present(kind, row)));
  }

  async getOf<K extends MoveKind>(
    kind: K,
    name: ContainerName,
    id: number,
  ): Promise<PresentedMoves[K]> {
    const containerId = await this.containers.find(kind, name);
    return this.present(kind, await this.moves.findMove(kind, id, containerId));
  }

  /** 201 with the new move; 200 with a forecast for a dry run. */
  async schedule<K extends MoveKind>(
    kind: K,
    name: ContainerName,
    { dto, actor, response }: Command<ScheduleMoveDto>,
  ): Promise<PresentedMoves[K] | MoveForecast> {
    const containerId = await this.containers.find(kind, name);
    const request = { kind, containerId, destination: dto.destination_storage_name };
    if (dto.dry_run === true) {
      response.status(200);
      return this.requests.forecast(request);
    }
    return this.get(kind, await this.requests.schedule(request, actor));
  }

  /** 202; 200 with a forecast for a dry run. */
  async scheduleAll(
    kind: MoveKind,
    { dto, actor, response }: Command<ScheduleAllMovesDto>,
  ): Promise<Accepted | BulkForecast> {
    const request = {
      kind,
      source: dto.source_storage_name,
      destination: dto.destination_storage_name,
    };
    if (dto.dry_run === true) {
      response.status(200);
      return this.requests.forecastAll(request);
    }
    await this.requests.scheduleAll(request, actor);
    response.status(202);
    return ACCEPTED;
  }

  async cancel<K extends MoveKind>(
    kind: K,
    id: number,
    actor: AuthContext,
  ): Promise<PresentedMoves[K]> {
    await this.requests.cancel(kind, id, actor);
    return this.get(kind, id);
  }

  async retry<K extends MoveKind>(
    kind: K,
    id: number,
    actor: AuthContext,
  ): Promise<PresentedMoves[K]> {
    return this.get(kind, await this.requests.retry(kind, id, actor));
  }

  private present<K extends MoveKind>(kind: K, row: MoveRows[K]): PresentedMoves[K] {
    return presentMove(kind, row, this.config.baseUrl);
  }
}

interface ListQuery {
  dto: ListMovesDto;
  paging: Paging;
}

interface Command<T> {
  dto: T;
  actor: AuthContext;
  response: Response;
}
