import { Controller, Delete, Get, HttpCode, Param, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Ability, Scopes } from '../../core/access/access.decorator.js';
import { ForbiddenError } from '../../core/errors.js';
import { ApiErrors, ApiProduces } from '../../core/openapi/api.decorators.js';
import { mapPage } from '../../core/pagination/page.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId, parseIntegerId } from '../../core/params/ids.js';
import { Input } from '../../core/params/input.decorator.js';
import { RateLimit } from '../../core/rate-limits/named-limits.js';
import { ResponseContext } from '../../core/response-context.js';
import {
  mayCreatePersonal,
  SnippetContext,
  SnippetRef,
  type SnippetReference,
  type SnippetRequestContext,
} from './snippet-access.js';
import { SnippetsService } from './snippets.service.js';
import { sendRawFile, SnippetContentService } from './snippet-content.service.js';
import {
  CreateSnippetDto,
  ListAllSnippetsDto,
  ListSnippetsDto,
  UpdateSnippetDto,
} from './snippet.dto.js';
import { presentSnippet, type SnippetResponse } from './snippet.presenter.js';
import { SnippetsRepository, type SnippetSelection } from './snippets.repository.js';

type FileParams = Record<'id' | 'ref' | 'file_path', string>;

/** Personal snippets, and all snippets by their id alone. */
@Controller('snippets')
@Scopes()
@Ability('anyone')
export class SnippetsController {
  constructor(
    private readonly repository: SnippetsRepository,
    private readonly content: SnippetContentService,
    private readonly snippets: SnippetsService,
  ) {}

  /** Lists the viewer's own snippets, including project snippets. */
  @Get()
  @Ability('signed_in')
  own(
    @Input() filters: ListSnippetsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<SnippetResponse[]> {
    return this.list('own', presentation, { filters, paging });
  }

  /** Lists the public personal snippets. */
  @Get('public')
  public(
    @Input() filters: ListSnippetsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<SnippetResponse[]> {
    return this.list('public', presentation, { filters, paging });
  }

  /** Lists all snippets that the viewer can see. */
  @Get('all')
  @Ability('signed_in')
  all(
    @Input() filters: ListAllSnippetsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<SnippetResponse[]> {
    return this.list('all', presentation, { filters, paging });
  }

  /** Shows a snippet. */
  @Get(':id')
  async show(
    @IntegerId('id') id: number,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<SnippetResponse> {
    return presentSnippet(await this.repository.findVisible(presentation.viewer, id), presentation);
  }

  /** Sends the content of a snippet's first file. */
  @Get(':id/raw')
  @ApiProduces('text/plain')
  async raw(
    @IntegerId('id') id: number,
    @ResponseContext() { viewer }: ResponseContext,
    @Res() response: Response,
  ): Promise<void> {
    const snippet = await this.repository.findVisible(viewer, id);
    await sendRawFile(response, await this.content.openFirst(snippet));
  }

  /** Sends the content of one file at a branch, tag or commit. */
  @Get(':id/files/:ref/:file_path/raw')
  @ApiProduces('text/plain')
  async rawFile(
    @Param() { id, ref, file_path: path }: FileParams,
    @ResponseContext() { viewer }: ResponseContext,
    @Res() response: Response,
  ): Promise<void> {
    const snippet = await this.repository.findVisible(viewer, parseIntegerId(id, 'id'));
    await sendRawFile(response, await this.content.openFile(snippet, ref, path));
  }

  /** Creates a personal snippet; not available to external users. */
  @Post()
  @Ability('signed_in')
  @ApiErrors(409)
  @RateLimit('create')
  create(
    @Input() dto: CreateSnippetDto,
    @SnippetContext() change: SnippetRequestContext,
  ): Promise<SnippetResponse> {
    if (!mayCreatePersonal(change.viewer)) throw new ForbiddenError();
    return this.snippets.create({ dto, projectId: null }, change);
  }

  /** Updates a snippet and, in one commit, its files. */
  @Put(':id')
  @Ability('signed_in')
  @ApiErrors(409, 412)
  update(
    @Input() dto: UpdateSnippetDto,
    @SnippetRef('id') change: SnippetReference,
  ): Promise<SnippetResponse> {
    return this.snippets.update(dto, change);
  }

  /** Deletes a snippet with its repository. */
  @Delete(':id')
  @Ability('signed_in')
  @ApiErrors(409, 412)
  @HttpCode(204)
  delete(@SnippetRef('id') change: SnippetReference): Promise<void> {
    return this.snippets.delete(change);
  }

  private async list(
    selection: SnippetSelection,
    presentation: ResponseContext,
    query: { filters: ListAllSnippetsDto; paging: Paging },
  ): Promise<SnippetResponse[]> {
    const page = await this.repository.list(presentation.viewer, selection, query);
    return query.paging.write(mapPage(page, (row) => presentSnippet(row, presentation)));
  }
}
