import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import type { AuthContext } from '../core/access/auth-context.js';
import { mapPage } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import type { ListMovesDto } from './dto/list-moves.dto.js';
import type { ScheduleAllMovesDto } from './dto/schedule-all-moves.dto.js';
import type { ScheduleMoveDto } from './dto/schedule-move.dto.js';
import { ContainerFinder } from './container-finder.service.js';
import type { ContainerName } from './container-name.decorator.js';
import { MoveFinder } from './move-finder.service.js';
import { MoveRequests } from './move-requests.service.js';
import type { AnyMoveRow, GroupMoveRow, ProjectMoveRow, SnippetMoveRow } from './move-row.js';
import type { MoveKind } from './move-states.js';
import { presentGroupMove, presentProjectMove, presentSnippetMove } from './move.presenter.js';

type Presented = Record<string, unknown>;

/** What the endpoints of the three kinds have in common, from parameters to the body. */
@Injectable()
export class MoveEndpoints {
  constructor(
    private readonly finder: MoveFinder,
    private readonly containers: ContainerFinder,
    private readonly requests: MoveRequests,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async list(kind: MoveKind, dto: ListMovesDto, paging: Paging): Promise<Presented[]> {
    const page = await this.finder.list(kind, dto, paging);
    return paging.write(mapPage(page, (row) => this.present(kind, row)));
  }

  async get(kind: MoveKind, id: number): Promise<Presented> {
    return this.present(kind, await this.finder.get(kind, id));
  }

  async listOf(kind: MoveKind, name: ContainerName, query: ListQuery): Promise<Presented[]> {
    const containerId = await this.containers.find(kind, name);
    const page = await this.finder.list(kind, { ...query.dto, containerId }, query.paging);
    return query.paging.write(mapPage(page, (row) => this.present(kind, row)));
  }

  async getOf(kind: MoveKind, name: ContainerName, id: number): Promise<Presented> {
    const containerId = await this.containers.find(kind, name);
    return this.present(kind, await this.finder.get(kind, id, containerId));
  }

  /** 201 with the new move; 200 with a forecast for a dry run. */
  async schedule(
    kind: MoveKind,
    name: ContainerName,
    { dto, actor, response }: Command<ScheduleMoveDto>,
  ): Promise<Presented> {
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
  ): Promise<Presented> {
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
    return { message: '202 Accepted' };
  }

  async cancel(kind: MoveKind, id: number, actor: AuthContext): Promise<Presented> {
    await this.requests.cancel(kind, id, actor);
    return this.get(kind, id);
  }

  async retry(kind: MoveKind, id: number, actor: AuthContext): Promise<Presented> {
    return this.get(kind, await this.requests.retry(kind, id, actor));
  }

  private present(kind: MoveKind, row: AnyMoveRow): Presented {
    const { baseUrl } = this.config;
    if (kind === 'project') return presentProjectMove(row as ProjectMoveRow);
    if (kind === 'group') return presentGroupMove(row as GroupMoveRow, baseUrl);
    return presentSnippetMove(row as SnippetMoveRow, baseUrl);
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
