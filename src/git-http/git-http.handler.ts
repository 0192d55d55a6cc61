import { Injectable, Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { ANONYMOUS, setAuthContext } from '../core/access/auth-context.js';
import type { Credential } from '../core/access/viewer.js';
import { StorageUnavailableError } from '../core/errors.js';
import { requestAddress } from '../core/http/request-address.js';
import { bareRepositoryExists } from '../git/bare-repository.js';
import { GitAuthentication } from './git-authentication.js';
import {
  assertJobTokenCovers,
  assertMayPush,
  assertReadable,
  assertScopesCover,
  assertWritable,
  commandNotAllowed,
} from './git-authorization.js';
import { IDLE_SECONDS } from './git-commands.js';
import { assertConnected, ClientGoneError, type GitExchange } from './git-exchange.js';
import { GitGuesses } from './git-guesses.service.js';
import { accessDenied, GitHttpError, refuseLfs, sendError } from './git-http-error.js';
import { type GitRequest, type GitService, parseGitRequest, withGitSuffix } from './git-request.js';
import type { GitTarget } from './git-target.js';
import { GitTargets } from './git-targets.service.js';
import { GitServices } from './git-services.js';
import { RepositoryOpener } from './repository-opener.service.js';

/**
 * Git over HTTPS. Order of the checks: credentials, user's state, command, token's scopes,
 * project visible, repository there, then for a push: move, archive, role.
 */
@Injectable()
export class GitHttpHandler {
  private readonly logger = new Logger(GitHttpHandler.name);

  constructor(
    private readonly authentication: GitAuthentication,
    private readonly guesses: GitGuesses,
    private readonly targets: GitTargets,
    private readonly opener: RepositoryOpener,
    private readonly services: GitServices,
  ) {}

  /** Answers what concerns a repository, passes everything else on. Express middleware. */
  readonly handle = (request: Request, response: Response, next: NextFunction): void => {
    const asked = parseGitRequest(request.url);
    if (asked === null) return next();
    // Silence on the connection ends it; the whole of a clone or push may take any time.
    request.socket.setTimeout(IDLE_SECONDS * 1000);
    void this.answer(asked, request, response).catch((error: unknown) => {
      const isKnown = sendError(response, error) && !(error instanceof StorageUnavailableError);
      if (!isKnown && !isDisconnect(error)) this.logger.error(error);
    });
  };

  private async answer(asked: GitRequest, request: Request, response: Response): Promise<void> {
    if (asked.endpoint === 'redirect') {
      response.redirect(301, withGitSuffix(request.url));
      return;
    }
    if (asked.endpoint === 'lfs') {
      refuseLfs(response);
      return;
    }
    const credential = await this.guesses.watch(request, () =>
      this.authentication.authenticate(request),
    );
    const viewer = credential?.user ?? null;
    const ip = requestAddress(request);
    setAuthContext(request, { ...ANONYMOUS, viewer, credential, ip });
    const service = allowedService(asked, request, credential);
    const caller = { request, response, service, credential };
    if (asked.endpoint === 'rpc') return this.run('serve', await this.authorize(asked, caller));
    for (;;) {
      const exchange = await this.authorize(asked, caller);
      try {
        return await this.run('advertise', exchange);
      } catch (error) {
        // A move may have taken the repository away since it was found; then it is elsewhere.
        if (response.headersSent || (await bareRepositoryExists(exchange.path))) throw error;
      }
    }
  }

  private async run(step: 'advertise' | 'serve', exchange: GitExchange): Promise<void> {
    assertConnected(exchange.response);
    await this.services.run(exchange, step);
  }

  private async authorize(
    { path, endpoint }: GitRequest,
    caller: Pick<GitExchange, 'request' | 'response' | 'service'> & {
      credential: Credential | null;
    },
  ): Promise<GitExchange> {
    const { credential, service } = caller;
    const isPush = service === 'git-receive-pack';
    if (credential === null && isPush) throw accessDenied();
    if (credential !== null) assertScopesCover(service, credential);
    const viewer = credential?.user ?? null;
    const target = assertReadable(await this.targets.find(path, viewer), credential);
    if (credential !== null) assertJobTokenCovers(target, credential);
    const open = await this.open(target, isPush && endpoint === 'refs' ? viewer?.id : undefined);
    if (isPush && endpoint === 'rpc') assertMayPush(target);
    return { ...caller, target, viewer, path: open, reopen: () => this.opener.open(target) };
  }

  /** `pusher` = user who starts a push, which is checked for known obstacles first. */
  private async open(target: GitTarget, pusher: number | undefined): Promise<string> {
    if (pusher === undefined) return this.opener.open(target);
    return this.opener.openForPush(target, pusher, () => assertWritable(target));
  }
}

/** The client left, perhaps while its request was read. */
function isDisconnect(error: unknown): boolean {
  if (error instanceof ClientGoneError) return true;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** The service that method, URL and content type ask for; refuses what Git clients never send. */
function allowedService(
  { endpoint, service }: GitRequest,
  request: Request,
  credential: Credential | null,
): GitService {
  if (service === null || endpoint === 'other') throw commandNotAllowed(credential);
  if (endpoint === 'refs') {
    if (request.method === 'GET') return service;
    if (request.method === 'HEAD') throw commandNotAllowed(credential);
    throw new GitHttpError(405, '405 Method Not Allowed', { Allow: 'GET' });
  }
  if (request.method !== 'POST') {
    throw new GitHttpError(405, '405 Method Not Allowed', { Allow: 'POST' });
  }
  if (request.get('Content-Type') === `application/x-${service}-request`) return service;
  throw new GitHttpError(415, `The content type must be application/x-${service}-request.`);
}
