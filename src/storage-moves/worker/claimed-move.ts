import type { RepositoryKind } from '../../git/repository-path.js';
import type { MoveKind } from '../move-states.js';

/** A move that this worker holds the lease of, as it was when it was claimed. */
export interface ClaimedMove {
  kind: MoveKind;
  id: number;
  containerId: number;
  /** `replicated`: an earlier attempt has switched, only its clean-up is missing. */
  state: 'started' | 'replicated';
  attempt: number;
  retries: number;
  source: string;
  destination: string;
  cancelledBy: string | null;
  /** The container's main repository must be on disk. */
  hasRepository: boolean;
  /** No write to the container's repositories was under way after it became read-only. */
  isDrained: boolean;
}

/** Name of the move in markers, temporary names and the trash: `project-12`. */
export function moveLabel({ kind, id }: Pick<ClaimedMove, 'kind' | 'id'>): string {
  return `${kind}-${id}`;
}

const REPOSITORY_NOUNS: Record<RepositoryKind, string> = {
  project: 'project',
  wiki: 'wiki',
  design: 'design',
  snippet: 'snippet',
  'group-wiki': 'wiki',
};

/** How messages name a repository: `Timeout waiting for wiki repository pushes`. */
export function repositoryNoun(kind: RepositoryKind): string {
  return REPOSITORY_NOUNS[kind];
}
