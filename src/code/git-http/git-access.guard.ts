import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request } from 'express';
import { GuardedBy } from '../../core/access/access.decorator.js';
import {
  ANONYMOUS,
  authContext,
  setAuthContext,
  type Credential,
} from '../../core/access/auth-context.js';
import { RawBody } from '../../core/http/raw-bodies.js';
import { requestAddress } from '../../core/http/request-address.js';
import { pathParam } from '../../core/params/ids.js';
import { READ_ONLY_MESSAGE } from '../../git/write-lease.service.js';
import { GitAuthentication } from './git-authentication.service.js';
import { IDLE_SECONDS, type GitAccess, type GitService } from './git-exchange.js';
import { accessDenied, GitHttpError, projectNotFound } from './git-http-error.js';
import { type GitTarget, GitTargets } from './git-targets.service.js';
import { RepositoryOpener } from './repository-opener.service.js';

const PULL_SCOPES = ['read_repository', 'write_repository', 'api', 'read_api'];
const PUSH_SCOPES = ['write_repository', 'api'];

const CANNOT_DOWNLOAD = 'You are not allowed to download code from this project.';

const accesses = new WeakMap<Request, GitAccess>();

/** Authenticates the request. Throws 401 for bad credentials and 403 for inactive users. */
@Injectable()
export class GitCredentialsGuard implements CanActivate {
  constructor(private readonly authentication: GitAuthentication) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = context.switchToHttp().getRequest<Request>();
    // Silence on the connection ends it; the whole of a clone or push can take any time.
    request.socket.setTimeout(IDLE_SECONDS * 1000);
    // Git first tries without; no promise is worth that.
    if (request.headers.authorization === undefined) return setGitContext(request, null);
    return this.authenticate(request);
  }

  private async authenticate(request: Request): Promise<true> {
    return setGitContext(request, await this.authentication.authenticate(request));
  }
}

function setGitContext(request: Request, credential: Credential | null): true {
  const viewer = credential?.user ?? null;
  setAuthContext(request, { ...ANONYMOUS, viewer, credential, ip: requestAddress(request) });
  return true;
}

/**
 * Decides whether the service can be used on the repository, and finds it. Order of the checks:
 * command, the token's scopes, project visible, repository there, then for a push: move, archive,
 * role.
 */
@Injectable()
export class GitRepositoryGuard implements CanActivate {
  constructor(
    private readonly targets: GitTargets,
    private readonly opener: RepositoryOpener,
  ) {}

  async canActivate(context: ExecutionContext): Promise<true> {
    const request = context.switchToHttp().getRequest<Request>();
    accesses.set(request, await this.authorize(request, allowedService(request)));
    return true;
  }

  private async authorize(request: Request, service: GitService): Promise<GitAccess> {
    const { viewer, credential } = authContext(request);
    const isPush = service === 'git-receive-pack';
    if (credential === null && isPush) throw accessDenied();
    if (credential !== null) assertScopesCover(service, credential);
    const found = await this.targets.find(pathParam(request, 'repository'), viewer);
    const target = assertReadable(found, credential);
    if (credential !== null) assertJobTokenCovers(target, credential);
    const isStart = isPush && isDiscovery(request);
    const path = await this.open(target, isStart ? viewer?.id : undefined);
    if (isPush && !isStart) assertMayPush(target);
    return { service, target, viewer, path, renew: () => this.authorize(request, service) };
  }

  /** `pusher` = user who starts a push, which is checked for known obstacles first. */
  private async open(target: GitTarget, pusher: number | undefined): Promise<string> {
    if (pusher === undefined) return this.opener.open(target);
    return this.opener.openForPush(target, pusher, () => assertWritable(target));
  }
}

/**
 * Marks a service of Git, which requires access to the repository in the path parameter
 * `repository`.
 */
export const GitCommand = (): MethodDecorator =>
  applyDecorators(RawBody(), GuardedBy('use_git', GitCredentialsGuard, GitRepositoryGuard));

/** Returns the access that GitCommand granted: `fetch(@CurrentGitAccess() access: GitAccess)`. */
export const CurrentGitAccess = createParamDecorator(
  (_: unknown, context: ExecutionContext): GitAccess => {
    const access = accesses.get(context.switchToHttp().getRequest<Request>());
    if (access === undefined) throw new Error('@CurrentGitAccess needs @GitCommand on the route');
    return access;
  },
);

/** Returns the service that a request names, for info/refs in its query; null for an unknown one. */
export function namedService(request: Request): GitService | null {
  const { path } = request;
  const name = isDiscovery(request)
    ? new URLSearchParams(request.url.slice(path.length)).get('service')
    : path.slice(path.lastIndexOf('/') + 1);
  return name === 'git-upload-pack' || name === 'git-receive-pack' ? name : null;
}

/**
 * Returns the error for a request that is not one of Git's: 405 for the wrong method, else 403, but
 * 401 for anonymous requests.
 */
export function unknownCommand(request: Request): GitHttpError {
  const method = isDiscovery(request) ? 'GET' : 'POST';
  const isHead = method === 'GET' && request.method === 'HEAD';
  if (namedService(request) !== null && !isHead && request.method !== method) {
    return new GitHttpError(405, '405 Method Not Allowed', { Allow: method });
  }
  if (authContext(request).credential === null) return accessDenied();
  return new GitHttpError(403, "The command you're trying to execute is not allowed.");
}

function isDiscovery({ path }: Request): boolean {
  return path.endsWith('/info/refs');
}

/** Returns the service of URL and content type; refuses requests that Git clients never send. */
function allowedService(request: Request): GitService {
  const service = namedService(request);
  if (service === null) throw unknownCommand(request);
  const contentType = `application/x-${service}-request`;
  if (isDiscovery(request) || request.get('Content-Type') === contentType) return service;
  throw new GitHttpError(415, `The content type must be ${contentType}.`);
}

/** Refuses (403) a token whose scopes do not cover the service. It is still a valid login: no 401. */
function assertScopesCover(service: GitService, { scopes }: Credential): void {
  const isPush = service === 'git-receive-pack';
  const accepted = isPush ? PUSH_SCOPES : PULL_SCOPES;
  if (accepted.some((scope) => scopes.includes(scope))) return;
  throw new GitHttpError(
    403,
    `The access token lacks the scope to ${isPush ? 'push' : 'pull'}: ` +
      `it needs ${accepted.slice(0, -1).join(', ')} or ${accepted.at(-1)}.`,
  );
}

/**
 * Returns a readable repository. To anonymous requests everything unreadable looks the same (401),
 * to users everything invisible (404).
 */
function assertReadable(target: GitTarget | null, credential: Credential | null): GitTarget {
  if (credential === null) {
    if (target === null || !target.access.canRead) throw accessDenied();
    return target;
  }
  if (target === null || !target.access.visible) throw projectNotFound();
  if (!target.access.canRead) throw new GitHttpError(403, CANNOT_DOWNLOAD);
  return target;
}

/** Refuses (404) a job token for every repository but the code and the wiki of its project. */
function assertJobTokenCovers(target: GitTarget, credential: Credential): void {
  if (credential.kind !== 'job') return;
  const isOfProject = target.kind === 'project' || target.kind === 'wiki';
  if (!isOfProject || target.containerId !== credential.projectId) throw projectNotFound();
}

/** Refuses a push for what is known before it begins: a move, the archive, the role. */
function assertWritable(target: GitTarget): void {
  if (target.readOnly) throw new GitHttpError(403, READ_ONLY_MESSAGE);
  assertMayPush(target);
}

/** As `assertWritable`, but leaves a move to the hook: only there does the client show the text. */
function assertMayPush(target: GitTarget): void {
  if (target.archived) throw new GitHttpError(403, "You can't push code to an archived project.");
  if (target.access.canPush) return;
  throw new GitHttpError(403, 'You are not allowed to push code to this project.');
}
