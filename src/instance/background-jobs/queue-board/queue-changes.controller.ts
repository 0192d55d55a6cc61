import { Controller, Delete, Patch, Post, Put, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { NoAuthentication } from '../../../core/access/access.decorator.js';
import type { AuthContext } from '../../../core/access/auth-context.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import { AuditLog } from '../../../core/audit/audit.service.js';
import { atRoot } from '../../../core/http/root-path.js';
import { BoardChangeGuard } from './board-change.guard.js';
import { setBoardHeaders } from './board-headers.js';
import { QUEUE_BOARD_PATH, QueueBoard } from './queue-board.service.js';

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
    const wish = `${request.method} ${request.path.slice(QUEUE_BOARD_PATH.length)}`;
    await this.audit.record(this.dataSource.manager, actor, {
      action: 'queue_change_requested',
      targetType: 'Queue',
      targetId: null,
      details: { request: wish.slice(0, MAX_REQUEST) },
    });
    setBoardHeaders(response, false);
    await this.board.serve(request, response);
  }
}
