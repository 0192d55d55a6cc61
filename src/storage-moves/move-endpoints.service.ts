import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { ACCEPTED, type Accepted } from '../core/accepted.js';
import type { AuthContext } from '../core/access/auth-context.js';
import { mapPage } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import type { ListMovesDto, ScheduleAllMovesDto, ScheduleMoveDto } from './storage-move.dto.js';
import { ContainerFinder, type ContainerName } from './container-finder.service.js';
import { StorageMovesRepository } from './storage-moves.repository.js';
import { MoveDryRun, type BulkForecast, type MoveForecast } from './move-dry-run.service.js';
import { MoveBatches } from './move-batches.service.js';
import { StorageMovesService } from './storage-moves.service.js';
import type { MoveRows } from './sql/move-rows.js';
import type { MoveKind } from './move-kinds.js';
import { type MovesResponse, presentMove } from './move.presenter.js';

/** Shared handlers of the three kinds, from the parameters to the body. */
@Injectable()
export class MoveEndpoints {
  constructor(
    private readonly moves: StorageMovesRepository,
    private readonly containers: ContainerFinder,
    private readonly commands: StorageMovesService,
    private readonly batches: MoveBatches,
    private readonly dryRun: MoveDryRun,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async list<K extends MoveKind>(
    kind: K,
    dto: ListMovesDto,
    paging: Paging,
  ): Promise<MovesResponse[K][]> {
    const page = await this.moves.list(kind, dto, paging);
    return paging.write(mapPage(page, (row) => this.present(kind, row)));
  }

  async get<K extends MoveKind>(kind: K, id: number): Promise<MovesResponse[K]> {
    return this.present(kind, await this.moves.findMove(kind, id));
  }

  async listOf<K extends MoveKind>(
    kind: K,
    name: ContainerName,
    { dto, paging }: ListQuery,
  ): Promise<MovesResponse[K][]> {
    const containerId = await this.containers.find(kind, name);
    const page = await this.moves.list(kind, { ...dto, containerId }, paging);
    return paging.write(mapPage(page, (row) => this.present(kind, row)));
  }

  async getOf<K extends MoveKind>(
    kind: K,
    name: ContainerName,
    id: number,
  ): Promise<MovesResponse[K]> {
    const containerId = await this.containers.find(kind, name);
    return this.present(kind, await this.moves.findMove(kind, id, containerId));
  }

  /** 201 with the new move; 200 with a forecast for a dry run. */
  async schedule<K extends MoveKind>(
    kind: K,
    name: ContainerName,
    { dto, actor, response }: Command<ScheduleMoveDto>,
  ): Promise<MovesResponse[K] | MoveForecast> {
    const containerId = await this.containers.find(kind, name);
    const request = { kind, containerId, destination: dto.destination_storage_name };
    if (dto.dry_run === true) {
      response.status(200);
      return this.dryRun.ofContainer(request);
    }
    return this.get(kind, await this.commands.schedule(request, actor));
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
      return this.dryRun.ofStorage(request);
    }
    await this.batches.create(request, actor);
    response.status(202);
    return ACCEPTED;
  }

  async cancel<K extends MoveKind>(
    kind: K,
    id: number,
    actor: AuthContext,
  ): Promise<MovesResponse[K]> {
    await this.commands.cancel(kind, id, actor);
    return this.get(kind, id);
  }

  async retry<K extends MoveKind>(
    kind: K,
    id: number,
    actor: AuthContext,
  ): Promise<MovesResponse[K]> {
    return this.get(kind, await this.commands.retry(kind, id, actor));
  }

  private present<K extends MoveKind>(kind: K, row: MoveRows[K]): MovesResponse[K] {
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
