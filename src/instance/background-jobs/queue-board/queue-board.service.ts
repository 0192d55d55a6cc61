import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { Queue } from 'bull';
import type { Express, Request, Response } from 'express';
import { RouteNotFoundError } from '../../../core/errors.js';
import { ALL_QUEUES } from '../../../core/durable-work/job-queue.service.js';

export const QUEUE_BOARD_PATH = '/admin/queues';

/** The folder of bull-board's static files, which are no part of the bundle. */
const UI_FOLDER = dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'));

/** The dashboard of bull-board for our queues, an Express application of its own. */
@Injectable()
export class QueueBoard {
  private board: Promise<Express> | null = null;

  constructor(@Inject(ALL_QUEUES) private readonly queues: Queue[]) {}

  /** Serves a request of the board. Rejects with the board's error, and for unknown paths. */
  async serve(request: Request, response: Response): Promise<void> {
    const rest = request.url.slice(QUEUE_BOARD_PATH.length);
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    // Loaded at its first request: it takes memory, and administrators rarely look at it.
    this.board ??= createBoard(this.queues);
    const board = await this.board;
    await new Promise<void>((resolve, reject) => {
      response.once('close', resolve);
      board(request, response, (error: unknown) => {
        reject(error instanceof Error ? error : new RouteNotFoundError());
      });
    });
  }
}

async function createBoard(queues: Queue[]): Promise<Express> {
  const [{ createBullBoard }, { BullAdapter }, { ExpressAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullAdapter'),
    import('@bull-board/express'),
  ]);
  const adapter = new ExpressAdapter().setBasePath(QUEUE_BOARD_PATH);
  createBullBoard({
    queues: queues.map((queue) => new BullAdapter(queue)),
    serverAdapter: adapter,
    options: {
      uiBasePath: UI_FOLDER,
      uiConfig: {
        boardTitle: 'Guildhall queues',
        hideDocsLink: true,
        miscLinks: [{ text: 'Back to Guildhall', url: '/admin' }],
      },
    },
  });
  const board = adapter.getRouter() as Express;
  board.disable('x-powered-by');
  // Keeps stack traces out of its answers.
  board.set('env', 'production');
  return board;
}
