import { Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Page } from '../../core/access/access.decorator.js';
import { Auth, type AuthContext } from '../../core/access/auth-context.js';
import type { HttpResponse } from '../../core/http/http-response.js';
import { atRoot } from '../../core/http/paths.js';
import { mapPage } from '../../core/pagination/page.js';
import { IntegerId } from '../../core/params/ids.js';
import { filledIn, refusalText } from '../../core/ui/forms.js';
import { Context } from '../../core/ui/page-contexts.service.js';
import type { PageContext } from '../../core/ui/page-context.js';
import { StorageMovesRepository } from '../storage-moves.repository.js';
import { StorageMovesService } from '../storage-moves.service.js';
import { MoveStatisticsRepository } from '../move-statistics.repository.js';
import { MoveList, MovesPage, OpenCount, type MoveListing } from './moves.page.js';
import type { ShownStorage } from './storage-strip.js';
import {
  MoveDetails,
  MovePage,
  MOVES_PATH,
  kindOf,
  shownMove,
  type ShownMove,
} from './move.page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { parseInput } from '../../core/params/input.decorator.js';
import { StorageRegistry } from '../../git/storage-registry.js';
import { StorageVolumes } from '../../git/storage-volumes.service.js';
import type { MoveKind } from '../move-kinds.js';
import type { AnyMoveRow } from '../sql/move-rows.js';
import { StorageSettings } from '../storage-settings.service.js';
import { ListMovePageDto } from '../storage-move.dto.js';

const SHOWN_BATCHES = 15;
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
    private readonly volumes: StorageVolumes,
    private readonly settings: StorageSettings,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Shows the moves, newest first, with their filters and outcomes, and the storages. */
  @Get()
  async list(
    @Context() pageContext: PageContext,
    @Query() query: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const [listing, storages] = await Promise.all([
      this.listing(query, paging),
      this.shownStorages(),
    ]);
    const page = MovesPage({ csrfToken: pageContext.csrfToken, listing, storages });
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
    return pageContext.fragment(
      <>
        <MoveList {...listing} csrfToken={pageContext.csrfToken} />
        <OpenCount open={listing.open} isLive />
      </>,
    );
  }

  @Get(':kind/:id')
  async show(
    @Context() pageContext: PageContext,
    @Param('kind') kind: string,
    @IntegerId('id') id: number,
  ): Promise<HttpResponse> {
    const move = await this.find(kind, id);
    const crumbs = [
      { label: 'Admin', href: '/admin' },
      { label: 'Storage moves', href: MOVES_PATH },
    ];
    const page = MovePage({ csrfToken: pageContext.csrfToken, move });
    return pageContext.render(page, { title: `Move #${id}`, nav: 'admin', crumbs });
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
    const filters = await parseInput(ListMovePageDto, filledIn(query));
    const page = await this.statistics.listAll(filters, paging);
    const [positions, open, batches, days] = await Promise.all([
      this.positionsOf(page.items),
      this.statistics.countOpen(),
      this.statistics.listBatches(SHOWN_BATCHES),
      this.statistics.countPerDay(SHOWN_DAYS),
    ]);
    const { baseUrl } = this.config;
    return {
      moves: mapPage(page, ({ kind, row }) =>
        shownMove(kind, row, { baseUrl, positions: positions[kind] }),
      ),
      open,
      batches,
      days,
      query: {
        kind: filters.kind ?? '',
        state: filters.state ?? '',
        source_storage_name: filters.source_storage_name ?? '',
        destination_storage_name: filters.destination_storage_name ?? '',
      },
      paging,
    };
  }

  private async positionsOf(
    moves: readonly AnyMoveRow[],
  ): Promise<Record<MoveKind, Map<number, number>>> {
    const of = (kind: MoveKind): Promise<Map<number, number>> => {
      const rows = moves.flatMap((move) => (move.kind === kind ? [move.row] : []));
      return this.statistics.findPositions(kind, rows);
    };
    const [project, snippet, group] = await Promise.all([
      of('project'),
      of('snippet'),
      of('group'),
    ]);
    return { project, snippet, group };
  }

  private async shownStorages(): Promise<ShownStorage[]> {
    const [limits, containers, volumes] = await Promise.all([
      this.settings.all(),
      this.statistics.countContainers(this.storages.names()),
      this.volumes.all(),
    ]);
    return [...limits].map(([name, { paused, blockedUntil }]) => ({
      name,
      weight: this.storages.get(name).weight,
      repositories: containers
        .filter(({ storage }) => storage === name)
        .reduce((sum, { count }) => sum + count, 0),
      paused,
      blockedUntil: blockedUntil?.toISOString() ?? null,
      volume: volumes.get(name),
    }));
  }

  private async find(word: string, id: number): Promise<ShownMove> {
    const kind = kindOf(word);
    const row = await this.moves.findMove(kind, id);
    const positions = await this.statistics.findPositions(kind, [row]);
    return shownMove(kind, row, { baseUrl: this.config.baseUrl, positions });
  }
}
