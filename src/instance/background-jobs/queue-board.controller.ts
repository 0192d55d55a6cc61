import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import {
  Controller,
  Get,
  Req,
  Res,
  Delete,
  Patch,
  Post,
  Put,
  UseGuards,
  Inject,
  Injectable,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request, Response, Express } from 'express';
import { DataSource } from 'typeorm';
import type { Queue } from 'bull';
import { Page } from '../../core/access/page.decorator.js';
import { atRoot } from '../../core/http/root-path.js';
import { NoAuthentication } from '../../core/access/access.decorator.js';
import { type AuthContext, ANONYMOUS, setAuthContext } from '../../core/access/auth-context.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import { AuditLog } from '../../core/audit/audit.service.js';
import { ForgedRequestError } from '../../identity/auth/page.guard.js';
import { BrowserSessions } from '../../identity/auth/sessions/browser-sessions.service.js';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { NotFoundError, RouteNotFoundError } from '../../core/errors.js';
import { requestAddress } from '../../core/http/request-address.js';
import { pageHeaders } from '../../core/ui/page-headers.js';
import { ALL_QUEUES } from '../../core/durable-work/job-queue.service.js';

const QUEUE_BOARD_PATH = '/admin/queues';

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
  // Keeps stack traces out of its responses.
  board.set('env', 'production');
  return board;
}

/**
 * The board needs scripts, a base element and style attributes; everything else is as strict as on
 * our own pages. Its external fonts stay blocked.
 */
const POLICY = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Sets the headers of all responses of the board; only its own files are cacheable. */
function setBoardHeaders(response: Response, isAsset: boolean): void {
  for (const [name, value] of Object.entries(pageHeaders({}, !isAsset))) {
    if (name !== 'Content-Type') response.setHeader(name, value);
  }
  response.setHeader('Content-Security-Policy', POLICY);
}

/**
 * Lets administrators change queues by their session. The board's own script does not send our CSRF
 * tokens, so the request's origin counts as well (Fetch Metadata, RFC 6454 §7): scripts of other
 * sites cannot change queues.
 */
@Injectable()
class BoardChangeGuard implements CanActivate {
  private readonly origin: string;

  constructor(
    private readonly browsers: BrowserSessions,
    @Inject(CONFIG) config: Config,
  ) {
    this.origin = new URL(config.baseUrl).origin;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const { session, isGenuine } = await this.browsers.ofPageRequest(request, response);
    if (session?.user.admin !== true) throw new NotFoundError();
    if (!isGenuine && !this.isOfOurPages(request)) throw new ForgedRequestError();
    const ip = requestAddress(request);
    setAuthContext(request, { ...ANONYMOUS, viewer: session.user, session, ip });
    return true;
  }

  private isOfOurPages({ headers }: Request): boolean {
    const site = headers['sec-fetch-site'];
    return site === undefined ? headers.origin === this.origin : site === 'same-origin';
  }
}

/** The queue board, for administrators. */
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

const MAX_REQUEST = 255;

/** Actions of administrators on queues; each is recorded in the audit log. */
@Controller(atRoot('admin/queues/*path'))
@NoAuthentication()
@UseGuards(BoardChangeGuard)
export class QueueChangesController {
  constructor(
    private readonly board: QueueBoard,
    private readonly dataSource: DataSource,
    private readonly audit: AuditLog,
  ) {}

  /** Retries, adds or promotes jobs. */
  @Post()
  post(@Req() request: Request, @Res() response: Response, @Auth() actor: AuthContext) {
    return this.change(request, response, actor);
  }

  /** Pauses, resumes and cleans queues, retries jobs. */
  @Put()
  put(@Req() request: Request, @Res() response: Response, @Auth() actor: AuthContext) {
    return this.change(request, response, actor);
  }

  /** Changes the data of a job. */
  @Patch()
  patch(@Req() request: Request, @Res() response: Response, @Auth() actor: AuthContext) {
    return this.change(request, response, actor);
  }

  /** Removes jobs. */
  @Delete()
  delete(@Req() request: Request, @Res() response: Response, @Auth() actor: AuthContext) {
    return this.change(request, response, actor);
  }

  private async change(request: Request, response: Response, actor: AuthContext): Promise<void> {
    const change = `${request.method} ${request.path.slice(QUEUE_BOARD_PATH.length)}`;
    await this.audit.record(this.dataSource.manager, actor, {
      action: 'queue_change_requested',
      targetType: 'Queue',
      targetId: null,
      details: { request: change.slice(0, MAX_REQUEST) },
    });
    setBoardHeaders(response, false);
    await this.board.serve(request, response);
  }
}
