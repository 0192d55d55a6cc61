import type { RepositoryKind } from '../git/repository-path.js';
import type { RepositoryAccess } from './repository-access.js';

/** The repository that a request names, with everything that decides about the request. */
export interface GitTarget {
  kind: RepositoryKind;
  containerId: number;
  storage: string;
  readOnly: boolean;
  archived: boolean;
  /** The protected branch; null = whichever HEAD names. */
  defaultBranch: string | null;
  access: RepositoryAccess;
  /** Set when the repository has another address now. */
  moved: { from: string; to: string } | null;
}

/** For `GitTarget.moved`: another spelling of the same path in upper and lower case is no move. */
export function moved(from: string, to: string): GitTarget['moved'] {
  return from.toLowerCase() === to.toLowerCase() ? null : { from, to };
}
