import { Controller, Get, Inject, Query } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Page } from '../../core/access/page.decorator.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/root-path.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { parseInput } from '../../core/params/input.decorator.js';
import { filledIn } from '../../core/ui/form-input.decorator.js';
import { Context } from '../../core/ui/context.decorator.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { ListMovePageDto } from './move-page.dto.js';
import { StorageMovesRepository } from '../storage-moves.repository.js';
import { MoveList, type MoveListing } from './move-list.js';
import { MoveStatisticsRepository } from '../move-statistics.repository.js';
import { MovesPage } from './moves.page.js';
import { shownMove } from './shown-move.js';

const SHOWN_BATCHES = 5;
const SHOWN_DAYS = 14;

/** The page with all moves, and its live part. */
@Controller(atRoot('admin/storage_moves'))
@Page('administrate')
export class MoveListPagesController {
  constructor(
    private readonly moves: StorageMovesRepository,
    private readonly statistics: MoveStatisticsRepository,
    private readonly storages: StorageRegistry,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Shows the moves of one kind, newest first, with their filters and outcomes. */
  @Get()
  async list(
    @Context() pageContext: PageContext,
    @Query() query: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const [listing, days] = await Promise.all([
      this.listing(query, paging),
      this.statistics.countPerDay(SHOWN_DAYS),
    ]);
    const storages = this.storages.names();
    const page = MovesPage({ csrfToken: pageContext.csrfToken, listing, days, storages });
    const crumbs = [{ label: 'Admin', href: '/admin' }];
    return pageContext.render(page, {
      title: 'Storage moves',
      nav: 'admin',
      crumbs,
      live: true,
    });
  }

  /** Shows the live part of that page. */
  @Get('live')
  async live(
    @Context() pageContext: PageContext,
    @Query() query: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const listing = await this.listing(query, paging);
    return pageContext.fragment(MoveList({ ...listing, csrfToken: pageContext.csrfToken }));
  }

  private async listing(query: Record<string, unknown>, paging: Paging): Promise<MoveListing> {
    const { kind: wanted, ...filters } = await parseInput(ListMovePageDto, filledIn(query));
    const kind = wanted ?? 'project';
    const rows = await this.moves.list(kind, filters, paging);
    const [positions, open, batches] = await Promise.all([
      this.statistics.findPositions(kind, rows.items),
      this.statistics.countOpen(),
      this.statistics.listBatches(SHOWN_BATCHES),
    ]);
    const { baseUrl } = this.config;
    return {
      moves: mapPage(rows, (row) => shownMove(kind, row, { baseUrl, positions })),
      open,
      batches,
      query: {
        kind,
        state: filters.state ?? '',
        source_storage_name: filters.source_storage_name ?? '',
        destination_storage_name: filters.destination_storage_name ?? '',
      },
      paging,
    };
  }
}
