export type GitService = 'git-upload-pack' | 'git-receive-pack';

/** Repository and service of a Git URL. */
export interface GitRequest {
  /** `group/project`, `group/project.wiki`, `snippets/5`: as in the URL, decoded, without `.git`. */
  path: string;
  /**
   * `refs` = info/refs, `rpc` = a service's POST, `redirect` = info/refs without `.git`, `lfs` =
   * Git LFS, which is not supported, `other` = other paths of a repository, such as the dumb
   * protocol.
   */
  endpoint: 'refs' | 'rpc' | 'redirect' | 'lfs' | 'other';
  /** null when the URL names none or one that is not offered. */
  service: GitService | null;
}

const BELOW_REPOSITORY =
  /^\/(.+?)\.git\/(info\/refs|git-(?:upload|receive)-pack|git-upload-archive|HEAD|info\/.+|objects\/.+)$/;
/** Excludes leading `//` and `/\`, which browsers follow to another host in a redirect. */
const WITHOUT_SUFFIX = /^\/(?![/\\])(.+)\/info\/refs$/;
/** Paths of our own that no namespace can have. */
const RESERVED = /^\/(?:api|oauth|-)\//;

/** Reads a request's URL; null when it does not concern a repository. */
export function parseGitRequest(url: string): GitRequest | null {
  const end = url.indexOf('?');
  const encodedPath = end === -1 ? url : url.slice(0, end);
  if (!isCandidate(encodedPath)) return null;
  const requested = new URLSearchParams(end === -1 ? '' : url.slice(end)).get('service');
  const service = asService(requested);
  const match = BELOW_REPOSITORY.exec(encodedPath);
  if (match === null) {
    const [, path] = WITHOUT_SUFFIX.exec(encodedPath) ?? [];
    if (path === undefined || service === null) return null;
    return { path: decode(path), endpoint: 'redirect', service };
  }
  const [, path = '', below = ''] = match;
  if (below === 'info/refs') return { path: decode(path), endpoint: 'refs', service };
  if (below.startsWith('info/lfs/')) return { path: decode(path), endpoint: 'lfs', service: null };
  const named = asService(below);
  return { path: decode(path), endpoint: named === null ? 'other' : 'rpc', service: named };
}

/** The URL of a redirect to the form with `.git`, query kept; relative, so no Host is trusted. */
export function withGitSuffix(url: string): string {
  return url.replace(/\/info\/refs(?=\?|$)/, '.git/info/refs');
}

/** Keeps the many requests that are not Git's away from the patterns. */
function isCandidate(path: string): boolean {
  const isGit = path.includes('.git/') || path.endsWith('/info/refs');
  return isGit && !RESERVED.test(path);
}

function asService(text: string | null): GitService | null {
  return text === 'git-upload-pack' || text === 'git-receive-pack' ? text : null;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // Not a path that anything could have; looking it up finds nothing.
    return path;
  }
}
