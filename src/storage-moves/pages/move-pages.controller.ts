import { Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Page } from '../../core/access/page.decorator.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { IntegerId } from '../../core/params/ids.js';
import { refusalText } from '../../core/ui/refusal-text.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
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
    @Shell() shell: PageShell,
    @Param('kind') kind: string,
    @IntegerId('id') id: number,
  ): Promise<Answer> {
    const move = await this.find(kind, id);
    const crumbs = [
      { label: 'Admin', href: '/admin' },
      { label: 'Storage moves', href: `${MOVES_PATH}?kind=${move.kind}` },
    ];
    const page = MovePage({ csrfToken: shell.csrfToken, move });
    return shell.page(page, { title: `Move ${id}`, nav: 'admin', crumbs, live: true });
  }

  /** Shows the live part of that page. */
  @Get('live')
  async live(
    @Shell() shell: PageShell,
    @Param('kind') kind: string,
    @IntegerId('id') id: number,
  ): Promise<Answer> {
    const move = await this.find(kind, id);
    return shell.fragment(MoveDetails({ csrfToken: shell.csrfToken, move }));
  }

  /** Cancels a move that has not switched storages yet. */
  @Post('cancel')
  async cancel(
    @Shell() shell: PageShell,
    @Param('kind') word: string,
    @IntegerId('id') id: number,
    @Auth() actor: AuthContext,
  ): Promise<Answer> {
    const kind = kindOf(word);
    const path = `${MOVES_PATH}/${kind}/${id}`;
    try {
      await this.commands.cancel(kind, id, actor);
    } catch (error) {
      return shell.redirect(path, { alert: refusalText(error) });
    }
    return shell.redirect(path, { notice: 'The move is being cancelled.' });
  }

  /** Schedules a failed move once more and leads to the new one. */
  @Post('retry')
  async retry(
    @Shell() shell: PageShell,
    @Param('kind') word: string,
    @IntegerId('id') id: number,
    @Auth() actor: AuthContext,
  ): Promise<Answer> {
    const kind = kindOf(word);
    try {
      const moveId = await this.commands.retry(kind, id, actor);
      return shell.redirect(`${MOVES_PATH}/${kind}/${moveId}`, { notice: 'Move scheduled.' });
    } catch (error) {
      return shell.redirect(`${MOVES_PATH}/${kind}/${id}`, { alert: refusalText(error) });
    }
  }

  private async find(word: string, id: number): Promise<ShownMove> {
    const kind = kindOf(word);
    const row = await this.moves.findMove(kind, id);
    const positions = await this.statistics.findPositions(kind, [row]);
    return shownMove(kind, row, { baseUrl: this.config.baseUrl, positions });
  }
}
