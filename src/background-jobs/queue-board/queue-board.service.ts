import { createBullBoard } from '@bull-board/api';
import { BullAdapter } from '@bull-board/api/bullAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { Inject, Injectable } from '@nestjs/common';
import type { Queue } from 'bull';
import type { Express, Request, Response } from 'express';
import { RouteNotFoundError } from '../../core/errors.js';
import { ALL_QUEUES } from '../../core/queue/all-queues.js';

export const QUEUE_BOARD_PATH = '/admin/queues';

/** The dashboard of bull-board for our queues, an Express application of its own. */
@Injectable()
export class QueueBoard {
  private readonly board: Express;

  constructor(@Inject(ALL_QUEUES) queues: Queue[]) {
    const adapter = new ExpressAdapter().setBasePath(QUEUE_BOARD_PATH);
    createBullBoard({
      queues: queues.map((queue) => new BullAdapter(queue)),
      serverAdapter: adapter,
      options: {
        uiConfig: {
          boardTitle: 'Guildhall queues',
          hideDocsLink: true,
          miscLinks: [{ text: 'Back to Guildhall', url: '/admin' }],
        },
      },
    });
    this.board = adapter.getRouter() as Express;
    this.board.disable('x-powered-by');
    // Keeps stack traces out of its answers.
    this.board.set('env', 'production');
  }

  /** Lets the board answer. Rejects with what it fails with, and for addresses it does not know. */
  async serve(request: Request, response: Response): Promise<void> {
    const rest = request.url.slice(QUEUE_BOARD_PATH.length);
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    await new Promise<void>((resolve, reject) => {
      response.once('close', resolve);
      this.board(request, response, (error: unknown) => {
        reject(error instanceof Error ? error : new RouteNotFoundError());
      });
    });
  }
}
