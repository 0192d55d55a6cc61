import { Controller, Get, Post, Query } from '@nestjs/common';
import { Page } from '../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../core/access/auth-context.js';
import { InvalidParamsError, NotFoundError } from '../../core/errors.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/paths.js';
import { parseInput } from '../../core/params/input.decorator.js';
import { filledIn, formErrors, FormInput, given, type FormProblems } from '../../core/ui/forms.js';
import type { PageInfo, PageContext } from '../../core/ui/page-context.js';
import { Context } from '../../core/ui/page-contexts.service.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { MoveContainersService } from '../move-containers.service.js';
import { ScheduleAllMovesDto, ScheduleMovePageDto } from '../storage-move.dto.js';
import { MoveDryRun, type BulkForecast, type MoveForecast } from '../move-dry-run.service.js';
import { StorageMovesRepository } from '../storage-moves.repository.js';
import { StorageMovesService, type MoveRequest } from '../storage-moves.service.js';
import { MOVE_KINDS } from '../move-kinds.js';
import { MOVES_PATH } from './move.page.js';
import { DrainStoragePage } from './drain.page.js';
import { explained, type ScheduleForm, ScheduleMovePage } from './schedule-move.page.js';

type Form = Record<string, unknown>;

/** Forms of administrators for moves and dry runs. */
@Controller(atRoot('admin/storage_moves'))
@Page('administrate')
export class SchedulePagesController {
  constructor(
    private readonly containers: MoveContainersService,
    private readonly moves: StorageMovesService,
    private readonly repository: StorageMovesRepository,
    private readonly dryRun: MoveDryRun,
    private readonly storages: StorageRegistry,
  ) {}

  /** Shows the form for the move of one container. */
  @Get('new')
  async blank(@Context() pageContext: PageContext, @Query() query: Form): Promise<HttpResponse> {
    const source = await this.findSource(query);
    const other =
      source === null ? undefined : this.storages.names().find((name) => name !== source);
    const values = { destination_storage_name: other, ...query };
    return this.one(pageContext, { values, source });
  }

  /** Schedules a move, shows its dry run, or shows the form again with its errors. */
  @Post()
  async schedule(
    @Context() pageContext: PageContext,
    @FormInput() form: Form,
    @Auth() actor: AuthContext,
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(ScheduleMovePageDto, filledIn(form));
      const request = await this.requestOf(dto);
      if (dto.dry_run === true) {
        const forecast = await this.dryRun.ofContainer(request);
        const source = forecast.source_storage_name;
        return this.one(pageContext, { values: form, source, forecast });
      }
      const id = await this.moves.schedule(request, actor);
      return pageContext.redirect(`${MOVES_PATH}/${dto.kind}/${id}`, { notice: 'Move scheduled.' });
    } catch (error) {
      const source = await this.findSource(form);
      const errors = aboutContainer(formErrors(error));
      return this.one(pageContext, { values: form, source, errors });
    }
  }

  /** Shows the form for draining a storage. */
  @Get('bulk')
  blankBulk(@Context() pageContext: PageContext, @Query() query: Form): HttpResponse {
    return this.all(pageContext, { values: query });
  }

  /** Drains a storage; otherwise the same as `schedule`. */
  @Post('bulk')
  async scheduleAll(
    @Context() pageContext: PageContext,
    @FormInput() form: Form,
    @Auth() actor: AuthContext,
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(ScheduleAllMovesDto, filledIn(form));
      const { source_storage_name: source, destination_storage_name: destination } = dto;
      const request = { source, destination };
      if (dto.dry_run === true) {
        const forecasts = await Promise.all(
          MOVE_KINDS.map((kind) => this.dryRun.ofStorage({ kind, ...request })),
        );
        return this.all(pageContext, { values: form, forecasts });
      }
      await this.moves.drain(request, actor);
      return pageContext.redirect(MOVES_PATH, { notice: `Draining ${source} has started.` });
    } catch (error) {
      return this.all(pageContext, { values: form, errors: formErrors(error) });
    }
  }

  private async requestOf(dto: ScheduleMovePageDto): Promise<MoveRequest> {
    const { kind, container, destination_storage_name: destination } = dto;
    try {
      const containerId = await this.containers.findByName(kind, container.trim());
      return { kind, containerId, destination };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      throw new InvalidParamsError(['container does not exist']);
    }
  }

  /** Returns the storage of the container that the form names; null for none. */
  private async findSource(form: Form): Promise<string | null> {
    const kind = MOVE_KINDS.find((one) => one === (given(form, 'kind') || 'project'));
    if (kind === undefined) return null;
    try {
      const id = await this.containers.findByName(kind, given(form, 'container').trim());
      return (await this.repository.findContainer(kind, id)).storage;
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof InvalidParamsError) return null;
      throw error;
    }
  }

  private one(
    pageContext: PageContext,
    form: ScheduleForm & { source: string | null; forecast?: MoveForecast },
  ): HttpResponse {
    const page = ScheduleMovePage({ ...this.common(pageContext), ...form });
    return pageContext.render(page, infoOf('New move'), statusOf(form));
  }

  private all(
    pageContext: PageContext,
    form: ScheduleForm & { forecasts?: BulkForecast[] },
  ): HttpResponse {
    const page = DrainStoragePage({ ...this.common(pageContext), ...form });
    return pageContext.render(page, infoOf('Drain storage'), statusOf(form));
  }

  private common({ csrfToken }: PageContext): { csrfToken: string; storages: string[] } {
    return { csrfToken, storages: this.storages.names() };
  }
}

/** Renames errors about the container, which the services name by its kind or ID. */
function aboutContainer({ fields, general }: FormProblems): FormProblems {
  const aliases: string[] = [...MOVE_KINDS, 'id'];
  const renamed = Object.entries(fields).map(([name, texts]) => [
    aliases.includes(name) ? 'container' : name,
    texts.map(explained),
  ]);
  return { fields: Object.fromEntries(renamed) as FormProblems['fields'], general };
}

function infoOf(title: string): PageInfo {
  const crumbs = [
    { label: 'Admin', href: '/admin' },
    { label: 'Storage moves', href: MOVES_PATH },
  ];
  return { title, nav: 'admin', crumbs };
}

function statusOf({ errors }: ScheduleForm): number {
  return errors === undefined ? 200 : 422;
}
