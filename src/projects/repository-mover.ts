import type { AuditActor } from '../core/audit/audit.service.js';

/**
 * Schedules a move of a project's repositories. Moves are built on projects, so they provide this
 * globally and projects look it up when it is needed.
 */
export abstract class RepositoryMover {
  /** Throws 400 with the reasons when the move cannot be scheduled. */
  abstract schedule(projectId: number, destination: string, actor: AuditActor): Promise<void>;
}
