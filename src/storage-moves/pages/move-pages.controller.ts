import { Controller, Get, Inject, Param, Post } from '@nestjs/common';
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
import { MOVES_PATH } from './move-list.js';
import { MoveDetails, MovePage } from './move-show.page.js';
import { kindOf, shownMove, type ShownMove } from './shown-move.js';

/** The page of one move, and its buttons. */
@Controller(atRoot('admin/storage_moves/:kind/:id'))
@Page('administrate')
export class MovePagesController {
  constructor(
    private readonly moves: StorageMovesRepository,
    private readonly statistics: MoveStatisticsRepository,
    private readonly commands: StorageMovesService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Shows a move. */
  @Get()
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
    return pageContext.render(page, { title: `Move ${id}`, nav: 'admin', crumbs, live: true });
  }

  /** Shows the live part of that page. */
  @Get('live')
  async live(
    @Context() pageContext: PageContext,
    @Param('kind') kind: string,
    @IntegerId('id') id: number,
  ): Promise<HttpResponse> {
    const move = await this.find(kind, id);
    return pageContext.fragment(MoveDetails({ csrfToken: pageContext.csrfToken, move }));
  }

  /** Cancels a move that has not switched storages yet. */
  @Post('cancel')
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
  @Post('retry')
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

  private async find(word: string, id: number): Promise<ShownMove> {
    const kind = kindOf(word);
    const row = await this.moves.findMove(kind, id);
    const positions = await this.statistics.findPositions(kind, [row]);
    return shownMove(kind, row, { baseUrl: this.config.baseUrl, positions });
  }
}
