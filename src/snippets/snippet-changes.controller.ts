import { Controller, Delete, HttpCode, Post, Put } from '@nestjs/common';
import { Ability, Scopes } from '../core/access/access.decorator.js';
import { Refuses } from '../core/access/refuses.decorator.js';
import { ForbiddenError } from '../core/errors.js';
import { Input } from '../core/params/input.decorator.js';
import { RateLimit } from '../core/rate-limits/rate-limit.decorator.js';
import { CreateSnippetDto, UpdateSnippetDto } from './snippet.dto.js';
import {
  Change,
  ChangeOf,
  type SnippetChange,
  type SnippetIdChange,
} from './snippet-change.decorator.js';
import { SnippetChangesService } from './snippet-changes.service.js';
import type { PresentedSnippet } from './snippet.presenter.js';

/** Making personal snippets, and changing snippets by their id alone. */
@Controller('snippets')
@Scopes()
@Ability('signed_in')
export class SnippetChangesController {
  constructor(private readonly changes: SnippetChangesService) {}

  /** Creates a personal snippet; not available to external users. */
  @Post()
  @Refuses(409)
  @RateLimit('create')
  create(
    @Input() dto: CreateSnippetDto,
    @Change() change: SnippetChange,
  ): Promise<PresentedSnippet> {
    const { external, admin } = change.viewer;
    if (external && !admin) throw new ForbiddenError();
    return this.changes.create({ dto, projectId: null }, change);
  }

  /** Updates a snippet and, in one commit, its files. */
  @Put(':id')
  @Refuses(409, 412)
  update(
    @Input() dto: UpdateSnippetDto,
    @ChangeOf('id') change: SnippetIdChange,
  ): Promise<PresentedSnippet> {
    return this.changes.update(dto, change);
  }

  /** Deletes a snippet with its repository. */
  @Delete(':id')
  @Refuses(409, 412)
  @HttpCode(204)
  delete(@ChangeOf('id') change: SnippetIdChange): Promise<void> {
    return this.changes.delete(change);
  }
}
