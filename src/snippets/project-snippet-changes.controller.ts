import { Controller, Delete, HttpCode, Post, Put } from '@nestjs/common';
import { Scopes } from '../core/access/access.decorator.js';
import { Refuses } from '../core/access/refuses.decorator.js';
import { Input } from '../core/params/input.decorator.js';
import { RateLimit } from '../core/rate-limits/rate-limit.decorator.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import { CreateSnippetDto, UpdateSnippetDto } from './snippet.dto.js';
import { assertSnippetsEnabled, assertTakesSnippets } from './snippet-access.js';
import {
  Change,
  ChangeOf,
  type SnippetChange,
  type SnippetIdChange,
} from './snippet-change.decorator.js';
import { SnippetChangesService } from './snippet-changes.service.js';
import type { PresentedSnippet } from './snippet.presenter.js';

/** Making and changing snippets of a project; who may change one is the snippet's affair. */
@Controller('projects/:id/snippets')
@Scopes()
export class ProjectSnippetChangesController {
  constructor(private readonly changes: SnippetChangesService) {}

  /** Creates a snippet in a project. */
  @Post()
  @Refuses(409)
  @RateLimit('create')
  @ProjectAbility('create_snippet')
  create(
    @CurrentProject() project: ProjectRow,
    @Input() dto: CreateSnippetDto,
    @Change() change: SnippetChange,
  ): Promise<PresentedSnippet> {
    assertTakesSnippets(project);
    return this.changes.create({ dto, projectId: project.id }, change);
  }

  /** Updates a snippet of a project and, in one commit, its files. */
  @Put(':snippet_id')
  @Refuses(409, 412)
  @ProjectAbility('read_snippet')
  update(
    @CurrentProject() project: ProjectRow,
    @Input() dto: UpdateSnippetDto,
    @ChangeOf('snippet_id') change: SnippetIdChange,
  ): Promise<PresentedSnippet> {
    assertSnippetsEnabled(project);
    return this.changes.update(dto, change, project.id);
  }

  /** Deletes a snippet of a project with its repository. */
  @Delete(':snippet_id')
  @Refuses(409, 412)
  @HttpCode(204)
  @ProjectAbility('read_snippet')
  delete(
    @CurrentProject() project: ProjectRow,
    @ChangeOf('snippet_id') change: SnippetIdChange,
  ): Promise<void> {
    assertSnippetsEnabled(project);
    return this.changes.delete(change, project.id);
  }
}
