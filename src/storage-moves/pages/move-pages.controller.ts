import { Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Page } from '../../core/access/page.decorator.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/root-path.js';
import { IntegerId } from '../../core/params/ids.js';
import { refusalText } from '../../core/ui/refusal-text.js';
import { Context } from '../../core/ui/context.decorator.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { StorageMovesRepository } from '../storage-moves.repository.js';
import { StorageMovesService } from '../storage-moves.service.js';
import { MoveStatisticsRepository } from '../move-statistics.repository.js';
import { MoveList, type MoveListing } from './move-list.js';
import {
  MoveDetails,
  MovePage,
  MOVES_PATH,
  kindOf,
  shownMove,
  type ShownMove,
} from './move.page.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { parseInput } from '../../core/params/input.decorator.js';
import { filledIn } from '../../core/ui/form-input.decorator.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { ListMovePageDto } from '../storage-move.dto.js';
import { MovesPage } from './moves.page.js';

const SHOWN_BATCHES = 5;
const SHOWN_DAYS = 14;

/** The pages of all moves and of one, their live parts and buttons. */
@Controller(atRoot('admin/storage_moves'))
@Page('administrate')
export class MovePagesController {
  constructor(
    private readonly moves: StorageMovesRepository,
    private readonly statistics: MoveStatisticsRepository,
    private readonly commands: StorageMovesService,
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
    return pageContext.render(page, { title: 'Storage moves', nav: 'admin', crumbs });
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

  /** Shows a move. */
  @Get(':kind/:id')
  async show(
    @Context() pageContext: PageContext,
    @Param('kind') kind: string,
    @IntegerId('id') id: number,
  ): Promise<HttpResponse> {
    const move = await this.find(kind, id);
    const crumbs = [
      { label: 'Admin', href: '/admin' },
      { label: 'Storage moves', href: `${MOVES_PATH}?kind=${move.kind}` },
    ];
    const page = MovePage({ csrfToken: pageContext.csrfToken, move });
    return pageContext.render(page, { title: `Move ${id}`, nav: 'admin', crumbs });
  }

  /** Shows the live part of that page. */
  @Get(':kind/:id/live')
  async liveMove(
    @Context() pageContext: PageContext,
    @Param('kind') kind: string,
    @IntegerId('id') id: number,
  ): Promise<HttpResponse> {
    const move = await this.find(kind, id);
    return pageContext.fragment(MoveDetails({ csrfToken: pageContext.csrfToken, move }));
  }

  /** Cancels a move that has not switched storages yet. */
  @Post(':kind/:id/cancel')
  async cancel(
    @Context() pageContext: PageContext,
    @Param('kind') word: string,
    @IntegerId('id') id: number,
    @Auth() actor: AuthContext,
  ): Promise<HttpResponse> {
    const kind = kindOf(word);
    const path = `${MOVES_PATH}/${kind}/${id}`;
    try {
      await this.commands.cancel(kind, id, actor);
    } catch (error) {
      return pageContext.redirect(path, { alert: refusalText(error) });
    }
    return pageContext.redirect(path, { notice: 'The move is being cancelled.' });
  }

  /** Schedules a failed move once more and leads to the new one. */
  @Post(':kind/:id/retry')
  async retry(
    @Context() pageContext: PageContext,
    @Param('kind') word: string,
    @IntegerId('id') id: number,
    @Auth() actor: AuthContext,
  ): Promise<HttpResponse> {
    const kind = kindOf(word);
    try {
      const moveId = await this.commands.retry(kind, id, actor);
      return pageContext.redirect(`${MOVES_PATH}/${kind}/${moveId}`, { notice: 'Move scheduled.' });
    } catch (error) {
      return pageContext.redirect(`${MOVES_PATH}/${kind}/${id}`, { alert: refusalText(error) });
    }
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

  private async find(word: string, id: number): Promise<ShownMove> {
    const kind = kindOf(word);
    const row = await this.moves.findMove(kind, id);
    const positions = await this.statistics.findPositions(kind, [row]);
    return shownMove(kind, row, { baseUrl: this.config.baseUrl, positions });
  }
}
