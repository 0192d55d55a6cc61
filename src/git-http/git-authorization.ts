import type { Credential } from '../core/access/viewer.js';
import { READ_ONLY_MESSAGE } from '../git/write-lease.service.js';
import { accessDenied, GitHttpError, projectNotFound } from './git-http-error.js';
import type { GitService } from './git-request.js';
import type { GitTarget } from './git-target.js';

const PULL_SCOPES = ['read_repository', 'write_repository', 'api', 'read_api'];
const PUSH_SCOPES = ['write_repository', 'api'];

/** Refuses (403) a token whose scopes do not cover the service. It is still a valid login: no 401. */
export function assertScopesCover(service: GitService, { scopes }: Credential): void {
  const isPush = service === 'git-receive-pack';
  const accepted = isPush ? PUSH_SCOPES : PULL_SCOPES;
  if (accepted.some((scope) => scopes.includes(scope))) return;
  throw new GitHttpError(
    403,
    `The access token lacks the scope to ${isPush ? 'push' : 'pull'}: ` +
      `it needs ${accepted.slice(0, -1).join(', ')} or ${accepted.at(-1)}.`,
  );
}

const CANNOT_DOWNLOAD = 'You are not allowed to download code from this project.';

/** 403 for a service that is unknown or not offered; strangers are asked to sign in first. */
export function commandNotAllowed(credential: Credential | null): GitHttpError {
  if (credential === null) return accessDenied();
  return new GitHttpError(403, "The command you're trying to execute is not allowed.");
}

/**
 * Answers the repository that may be read. To strangers everything they cannot read looks the
 * same (401), to the signed-in everything they cannot see (404).
 */
export function assertReadable(target: GitTarget | null, credential: Credential | null): GitTarget {
  if (credential === null) {
    if (target === null || !target.access.canRead) throw accessDenied();
    return target;
  }
  if (target === null || !target.access.visible) throw projectNotFound();
  if (!target.access.canRead) throw new GitHttpError(403, CANNOT_DOWNLOAD);
  return target;
}

/** Refuses (404) a job token for every repository but the code and the wiki of its project. */
export function assertJobTokenCovers(target: GitTarget, credential: Credential): void {
  if (credential.kind !== 'job') return;
  const isOfProject = target.kind === 'project' || target.kind === 'wiki';
  if (!isOfProject || target.containerId !== credential.projectId) throw projectNotFound();
}

/** Refuses a push for what is known before it begins: a move, the archive, the role. */
export function assertWritable(target: GitTarget): void {
  if (target.readOnly) throw new GitHttpError(403, READ_ONLY_MESSAGE);
  assertMayPush(target);
}

/** As `assertWritable`, but leaves a move to the hook: only there does the client show the text. */
export function assertMayPush(target: GitTarget): void {
  if (target.archived) throw new GitHttpError(403, "You can't push code to an archived project.");
  if (target.access.canPush) return;
  throw new GitHttpError(403, 'You are not allowed to push code to this project.');
}
