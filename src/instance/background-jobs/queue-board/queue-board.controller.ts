import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Page } from '../../../core/access/page.decorator.js';
import { atRoot } from '../../../core/http/root-path.js';
import { setBoardHeaders } from './board-headers.js';
import { QUEUE_BOARD_PATH, QueueBoard } from './queue-board.service.js';

/** The queues of background jobs, for administrators to look at. */
@Controller(atRoot('admin/queues'))
@Page('administrate')
export class QueueBoardController {
  constructor(private readonly board: QueueBoard) {}

  /** Sends the board, its files and its API. */
  @Get(['', '*path'])
  show(@Req() request: Request, @Res() response: Response): Promise<void> {
    setBoardHeaders(response, request.path.startsWith(`${QUEUE_BOARD_PATH}/static/`));
    return this.board.serve(request, response);
  }
}
