import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Viewer } from '../core/access/viewer.js';
import { AuditTrail, type AuditActor } from '../core/audit/audit.service.js';
import { NotFoundError } from '../core/errors.js';
import { visibilityName } from '../members/visibility.js';
import type { UpdateSnippetDto } from './snippet.dto.js';
import { changedAttributes } from './snippet-attributes.js';
import { SnippetCommitsService } from './snippet-commits.service.js';
import { assertUsableUpdate, plannedChanges, touchesFiles } from './snippet-files.js';
import { trailOf } from './snippet-access.js';
import type { SnippetRow } from './snippets.repository.js';
import { Snippet } from './snippet.entity.js';

/** Changes snippets: their files by a commit, the rest in their row. */
@Injectable()
export class SnippetUpdateService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly commits: SnippetCommitsService,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * The caller has checked that the viewer may change the snippet. Throws 400 for bad parameters
   * and, where files change, during a move; 404 when the snippet is deleted meanwhile.
   */
  async update(
    snippet: SnippetRow,
    dto: UpdateSnippetDto,
    { viewer, auth }: { viewer: Viewer; auth: AuditActor },
  ): Promise<void> {
    assertUsableUpdate(dto);
    const attributes = changedAttributes(dto);
    if (touchesFiles(dto)) await this.commitFiles(snippet.id, dto, viewer);
    if (Object.keys(attributes).length > 0) await this.save(snippet, attributes, auth);
  }

  private async commitFiles(id: number, dto: UpdateSnippetDto, author: Viewer): Promise<void> {
    try {
      await this.commits.commit(id, author, (present) => plannedChanges(dto, present));
    } catch (error) {
      // A deletion at the same time takes the repository away under the commit.
      const isGone = !(await this.dataSource.manager.existsBy(Snippet, { id }));
      throw isGone ? new NotFoundError('Snippet') : error;
    }
  }

  private save(snippet: SnippetRow, attributes: Partial<Snippet>, auth: AuditActor): Promise<void> {
    const { id, visibility: before } = snippet;
    return this.dataSource.transaction(async (tx) => {
      const changes = { ...attributes, updatedAt: () => 'now()' };
      const { affected } = await tx.update(Snippet, { id }, changes);
      if (affected === 0) throw new NotFoundError('Snippet');
      const { visibility: after } = attributes;
      if (after === undefined || after === before) return;
      await this.audit.record(tx, auth, {
        action: 'snippet_visibility_changed',
        targetType: 'Snippet',
        targetId: id,
        entity: trailOf(snippet),
        details: { visibility: { from: visibilityName(before), to: visibilityName(after) } },
      });
    });
  }
}
