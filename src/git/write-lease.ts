import type { RefCommand } from './inflight-write.entity.js';
import type { RepositoryKind } from './repository-path.js';

/** Repository and user of a write; `userId` null = the system. */
export interface WriteRequest {
  kind: RepositoryKind;
  containerId: number;
  userId: number | null;
}

/** The right to write to one repository, until it is released. */
export interface WriteLease extends WriteRequest {
  id: string;
  /** Where the repository is for as long as the lease is held. */
  storage: string;
  /**
   * Puts on record what is about to be written and answers whether that is still allowed: false
   * when the lease was considered expired, since a move may have proceeded without it.
   */
  confirm(commands: RefCommand[]): Promise<boolean>;
  release(): Promise<void>;
  /** Leaves the row to be found dead, for a write whose outcome could not be recorded. */
  abandon(): void;
}
