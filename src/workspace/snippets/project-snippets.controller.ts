import { Controller, Delete, Get, HttpCode, Post, Put, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Scopes } from '../../core/access/access.decorator.js';
import { authContext } from '../../core/access/auth-context.js';
import { ApiErrors, ApiProduces } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId, parseIntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ResponseContext } from '../../core/response-context.js';
import { CurrentProject, ProjectAbility } from '../projects/project-access.guard.js';
import type { ProjectRow } from '../projects/projects.repository.js';
import {
  assertSnippetsEnabled,
  assertTakesSnippets,
  SnippetContext,
  SnippetRef,
  type SnippetReference,
  type SnippetRequestContext,
} from './snippet-access.js';
import { SnippetsService } from './snippets.service.js';
import { sendRawFile, SnippetContentService } from './snippet-content.service.js';
import { CreateSnippetDto, UpdateSnippetDto } from './snippet.dto.js';
import { presentSnippet, type SnippetResponse } from './snippet.presenter.js';
import { SnippetsRepository, type FoundSnippet } from './snippets.repository.js';

/** Snippets of a project; permissions depend on the snippet. */
@Controller('projects/:id/snippets')
@Scopes()
export class ProjectSnippetsController {
  constructor(
    private readonly repository: SnippetsRepository,
    private readonly content: SnippetContentService,
    private readonly snippets: SnippetsService,
  ) {}

  /** Lists the snippets of a project that the viewer can see. */
  @Get()
  @ProjectAbility('read_snippet')
  async list(
    @CurrentProject() project: ProjectRow,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<SnippetResponse[]> {
    assertSnippetsEnabled(project);
    const selection = { projectId: project.id };
    const query = { filters: {}, paging };
    const page = await this.repository.list(presentation.viewer, selection, query);
    return paging.write(mapPage(page, (row) => presentSnippet(row, presentation)));
  }

  /** Shows a snippet of a project. */
  @Get(':snippet_id')
  @ProjectAbility('read_snippet')
  async show(
    @CurrentProject() project: ProjectRow,
    @IntegerId('snippet_id') id: number,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<SnippetResponse> {
    assertSnippetsEnabled(project);
    const snippet = await this.repository.findVisible(presentation.viewer, id, project.id);
    return presentSnippet(snippet, presentation);
  }

  /** Sends the content of a snippet's first file. */
  @Get(':snippet_id/raw')
  @ApiProduces('text/plain')
  @ProjectAbility('read_snippet')
  async raw(
    @CurrentProject() project: ProjectRow,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const snippet = await this.find(project, request);
    await sendRawFile(response, await this.content.openFirst(snippet));
  }

  /** Sends the content of one file at a branch, tag or commit. */
  @Get(':snippet_id/files/:ref/:file_path/raw')
  @ApiProduces('text/plain')
  @ProjectAbility('read_snippet')
  async rawFile(
    @CurrentProject() project: ProjectRow,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { ref, file_path: path } = request.params as Record<'ref' | 'file_path', string>;
    const snippet = await this.find(project, request);
    await sendRawFile(response, await this.content.openFile(snippet, ref, path));
  }

  /** Creates a snippet in a project. */
  @Post()
  @ApiErrors(409)
  @RateLimit('create')
  @ProjectAbility('create_snippet')
  create(
    @CurrentProject() project: ProjectRow,
    @Input() dto: CreateSnippetDto,
    @SnippetContext() change: SnippetRequestContext,
  ): Promise<SnippetResponse> {
    assertTakesSnippets(project);
    return this.snippets.create({ dto, projectId: project.id }, change);
  }

  /** Updates a snippet of a project and, in one commit, its files. */
  @Put(':snippet_id')
  @ApiErrors(409, 412)
  @ProjectAbility('read_snippet')
  update(
    @CurrentProject() project: ProjectRow,
    @Input() dto: UpdateSnippetDto,
    @SnippetRef('snippet_id') change: SnippetReference,
  ): Promise<SnippetResponse> {
    assertSnippetsEnabled(project);
    return this.snippets.update(dto, change, project.id);
  }

  /** Deletes a snippet of a project with its repository. */
  @Delete(':snippet_id')
  @ApiErrors(409, 412)
  @HttpCode(204)
  @ProjectAbility('read_snippet')
  delete(
    @CurrentProject() project: ProjectRow,
    @SnippetRef('snippet_id') change: SnippetReference,
  ): Promise<void> {
    assertSnippetsEnabled(project);
    return this.snippets.delete(change, project.id);
  }

  private find(project: ProjectRow, request: Request): Promise<FoundSnippet> {
    assertSnippetsEnabled(project);
    const id = parseIntegerId(String(request.params['snippet_id']), 'snippet_id');
    return this.repository.findVisible(authContext(request).viewer, id, project.id);
  }
}
