import { All, Controller, Get, Next, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { GuardedBy, NoAuthentication } from '../../core/access/access.decorator.js';
import { atRoot } from '../../core/http/paths.js';
import { RawBody } from '../../core/http/raw-bodies.js';
import { NeverWrites } from '../../core/sql/replica/request-reads.js';
import { bareRepositoryExists } from '../../git/git-repository.js';
import { assertConnected, countSent, type GitAccess, type GitExchange } from './git-exchange.js';
import { GitErrorFilter } from './git-http-error.js';
import {
  CurrentGitAccess,
  GitCredentialsGuard,
  GitCommand,
  namedService,
  unknownCommand,
} from './git-access.guard.js';
import { ReceivePack } from './receive-pack.service.js';
import { UploadPack } from './upload-pack.service.js';

const REPOSITORY = '*repository.git';

/** Clone, fetch and push over HTTPS, at the paths of repositories. */
@Controller(atRoot())
@UseFilters(GitErrorFilter)
export class GitHttpController {
  constructor(
    private readonly uploadPack: UploadPack,
    private readonly receivePack: ReceivePack,
  ) {}

  /** Lists what the repository has, with which every fetch and push begins. */
  @Get(`${REPOSITORY}/info/refs`)
  @GitCommand()
  async advertise(
    @CurrentGitAccess() access: GitAccess,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    countSent({ service: access.service, request, response });
    const isPush = access.service === 'git-receive-pack';
    const service = isPush ? this.receivePack : this.uploadPack;
    for (let current = access; ; current = await current.renew()) {
      try {
        return await service.advertise(exchangeOf(current, request, response));
      } catch (error) {
        // A move may have taken the repository away since it was found; then it is elsewhere.
        if (response.headersSent || (await bareRepositoryExists(current.path))) throw error;
      }
    }
  }

  /** One request of a fetch. */
  @Post(`${REPOSITORY}/git-upload-pack`)
  @NeverWrites()
  @GitCommand()
  async fetch(
    @CurrentGitAccess() access: GitAccess,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    countSent({ service: access.service, request, response });
    await this.uploadPack.serve(exchangeOf(access, request, response));
  }

  /** A push. */
  @Post(`${REPOSITORY}/git-receive-pack`)
  @GitCommand()
  async push(
    @CurrentGitAccess() access: GitAccess,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    countSent({ service: access.service, request, response });
    await this.receivePack.serve(exchangeOf(access, request, response));
  }

  /**
   * Rejects LFS in git-lfs' own format: any other response makes it prompt for
   * new credentials.
   */
  @All(`${REPOSITORY}/info/lfs/*path`)
  @RawBody()
  @NoAuthentication()
  refuseLfs(@Res() response: Response): void {
    response.writeHead(501, { 'Content-Type': 'application/vnd.git-lfs+json' });
    response.end(JSON.stringify({ message: 'LFS is not supported on this server' }));
  }

  /** Other methods, and paths of a repository that are no service, such as the dumb protocol. */
  @All(
    [
      'info/refs',
      'info/*path',
      'git-upload-pack',
      'git-receive-pack',
      'git-upload-archive',
      'HEAD',
      'objects/*path',
    ].map((below) => `${REPOSITORY}/${below}`),
  )
  @RawBody()
  @GuardedBy('use_git', GitCredentialsGuard)
  refuse(@Req() request: Request, @Res() _response: Response): never {
    throw unknownCommand(request);
  }

  /** Leads to the address with .git. The location is relative, so that no Host is trusted. */
  @All('*repository/info/refs')
  @RawBody()
  @NoAuthentication()
  redirect(@Req() request: Request, @Res() response: Response, @Next() next: NextFunction): void {
    // Browsers follow `//` and `/\` to another host.
    const isGit = namedService(request) !== null && !/^\/[/\\]/.test(request.url);
    if (isGit)
      response.redirect(301, request.url.replace(/\/info\/refs(?=\?|$)/, '.git/info/refs'));
    else next();
  }
}

function exchangeOf(access: GitAccess, request: Request, response: Response): GitExchange {
  assertConnected(response);
  return { ...access, request, response };
}
