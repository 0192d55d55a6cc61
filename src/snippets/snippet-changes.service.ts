import { Injectable } from '@nestjs/common';
import type { UpdateSnippetDto } from './snippet.dto.js';
import { assertMayChange } from './snippet-access.js';
import type { SnippetChange, SnippetIdChange } from './snippet-change.decorator.js';
import { type NewSnippet, SnippetCreationService } from './snippet-creation.service.js';
import { SnippetDeletionService } from './snippet-deletion.service.js';
import { type FoundSnippet, SnippetsRepository } from './snippets.repository.js';
import { SnippetSpamCheck } from './snippet-spam.service.js';
import { SnippetUpdateService } from './snippet-update.service.js';
import { presentSnippet, type PresentedSnippet } from './snippet.presenter.js';

/**
 * Changes as both kinds of endpoints offer them. The order of refusals: 404 for what the viewer
 * cannot see, 403, 412, then what the parameters, the spam check or a move forbid.
 */
@Injectable()
export class SnippetChangesService {
  constructor(
    private readonly repository: SnippetsRepository,
    private readonly creation: SnippetCreationService,
    private readonly updating: SnippetUpdateService,
    private readonly deletion: SnippetDeletionService,
    private readonly spam: SnippetSpamCheck,
  ) {}

  /** The caller has decided whether the viewer may create a snippet there. */
  async create(
    snippet: Omit<NewSnippet, 'author'>,
    { viewer, presentation, sender }: SnippetChange,
  ): Promise<PresentedSnippet> {
    await this.spam.assertNewIsClean(snippet.dto, sender);
    const id = await this.creation.create({ ...snippet, author: viewer });
    return presentSnippet(await this.repository.findVisible(viewer, id), presentation);
  }

  /** Under a project's path only that project's snippets are meant: `projectId`. */
  async update(
    dto: UpdateSnippetDto,
    change: SnippetIdChange,
    projectId?: number,
  ): Promise<PresentedSnippet> {
    const snippet = await this.findForChange(change, projectId);
    await this.spam.assertChangeIsClean(snippet, dto, change.sender);
    await this.updating.update(snippet, dto, change);
    return presentSnippet(
      await this.repository.findVisible(change.viewer, snippet.id),
      change.presentation,
    );
  }

  async delete(change: SnippetIdChange, projectId?: number): Promise<void> {
    const snippet = await this.findForChange(change, projectId);
    await this.deletion.delete(snippet, change.auth);
  }

  private async findForChange(
    { snippetId, viewer, preconditions }: SnippetIdChange,
    projectId: number | undefined,
  ): Promise<FoundSnippet> {
    const snippet = await this.repository.findVisible(viewer, snippetId, projectId);
    assertMayChange(snippet, viewer);
    preconditions.check(snippet.updatedAt);
    return snippet;
  }
}
