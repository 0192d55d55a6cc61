import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditLog, type AuditActor } from '../../core/audit/audit.service.js';
import { ConflictError } from '../../core/errors.js';
import { RepositoryTrashService } from '../../git/repository-trash.service.js';
import type { WriteLease } from '../../git/write-lease.js';
import { RepositoryReadOnlyError, WriteLeaseService } from '../../git/write-lease.service.js';
import { trailOf } from './snippet-access.js';
import { Snippet } from './snippet.entity.js';
import { SnippetsRepository, type SnippetRow } from './snippets.repository.js';

const MOVING =
  "A related snippet repository storage move is in progress. Try again when it's complete.";

/**
 * Deletes snippets: the row first, then the repository goes to its storage's trash. Both happen
 * under a write lease, so that no move begins to copy in between; a lease left by a process that
 * died there makes `AbandonedWrites` take the repository away.
 */
@Injectable()
export class SnippetDeletionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly leases: WriteLeaseService,
    private readonly trash: RepositoryTrashService,
    private readonly audit: AuditLog,
    private readonly snippets: SnippetsRepository,
  ) {}

  /** The caller has checked that the viewer may. Throws 409 while a move is under way. */
  async delete(snippet: SnippetRow, auth: AuditActor): Promise<void> {
    const { id } = snippet;
    const lease = await this.acquire(id, auth);
    let isRowDeleted = false;
    try {
      await this.trash.discardStaleCopies('snippet', id, `snippet-${id} deleted`);
      await this.deleteRow(snippet, auth);
      isRowDeleted = true;
      await this.trash.discard(lease, `snippet-${id} deleted`);
      isRowDeleted = false;
    } finally {
      if (isRowDeleted) lease.abandon();
      else await lease.release();
    }
  }

  private async acquire(id: number, auth: AuditActor): Promise<WriteLease> {
    const userId = auth.viewer?.id ?? null;
    try {
      return await this.leases.acquire({ kind: 'snippet', containerId: id, userId });
    } catch (error) {
      throw error instanceof RepositoryReadOnlyError ? new ConflictError(MOVING) : error;
    }
  }

  private deleteRow(snippet: SnippetRow, auth: AuditActor): Promise<void> {
    const { id } = snippet;
    return this.dataSource.transaction(async (tx) => {
      const { isMoving } = await this.snippets.lockForDeletion(tx, id);
      if (isMoving) throw new ConflictError(MOVING);
      await this.audit.record(tx, auth, {
        action: 'snippet_deleted',
        targetType: 'Snippet',
        targetId: id,
        entity: trailOf(snippet),
      });
      await tx.delete(Snippet, { id });
    });
  }
}
