import type { GitConfiguration } from '../git/git-process.js';
import { HOOKS_PATH } from '../git/hooks-path.js';
import type { RepositoryKind } from '../git/repository-path.js';

const GIBIBYTE = 1024 ** 3;
const MEBIBYTE = 1024 ** 2;

/** Silence of a client after which upload-pack gives up, and so does the connection. */
export const IDLE_SECONDS = 600;

// Refs of our own; clients neither see nor push them.
export const HIDDEN_REFS = ['refs/keep-around', 'refs/internal'];

/** Settings of upload-pack: partial clones and fetches of single commits are welcome. */
export const UPLOAD_PACK_CONFIG: GitConfiguration = {
  'transfer.hideRefs': HIDDEN_REFS,
  'uploadpack.allowFilter': 'true',
  'uploadpack.allowAnySHA1InWant': 'true',
  'pack.threads': '2',
};

/** Settings of receive-pack: everything pushed is checked before it becomes visible. */
export function receivePackConfig(kind: RepositoryKind): GitConfiguration {
  const maxInputSize = kind === 'snippet' ? 50 * MEBIBYTE : 5 * GIBIBYTE;
  return {
    'transfer.hideRefs': HIDDEN_REFS,
    'receive.advertisePushOptions': 'true',
    'receive.fsckObjects': 'true',
    'receive.maxInputSize': String(maxInputSize),
    'core.hooksPath': HOOKS_PATH,
    'pack.threads': '2',
  };
}
