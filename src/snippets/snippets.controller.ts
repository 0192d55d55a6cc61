import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Ability, Scopes } from '../core/access/access.decorator.js';
import { Sends } from '../core/access/sends.decorator.js';
import { mapPage } from '../core/pagination/page.js';
import { Pages, type Paging } from '../core/pagination/paging.decorator.js';
import { IntegerId, parseIntegerId } from '../core/params/ids.js';
import { Input } from '../core/params/input.decorator.js';
import { ResponseContext } from '../core/response-context.js';
import { ListAllSnippetsDto, ListSnippetsDto } from './snippet.dto.js';
import { sendRawFile } from './raw-file.js';
import { SnippetContentService } from './snippet-content.service.js';
import { presentSnippet, type PresentedSnippet } from './snippet.presenter.js';
import { type SnippetSelection, SnippetsRepository } from './snippets.repository.js';

type FileParams = Record<'id' | 'ref' | 'file_path', string>;

/** Reading snippets by their id alone, whether personal or of a project. */
@Controller('snippets')
@Scopes()
@Ability('anyone')
export class SnippetsController {
  constructor(
    private readonly repository: SnippetsRepository,
    private readonly content: SnippetContentService,
  ) {}

  /** Lists the viewer's own snippets, including project snippets. */
  @Get()
  @Ability('signed_in')
  own(
    @Input() filters: ListSnippetsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<PresentedSnippet[]> {
    return this.list('own', presentation, { filters, paging });
  }

  /** Lists the public personal snippets. */
  @Get('public')
  public(
    @Input() filters: ListSnippetsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<PresentedSnippet[]> {
    return this.list('public', presentation, { filters, paging });
  }

  /** Lists all snippets that the viewer can see. */
  @Get('all')
  @Ability('signed_in')
  all(
    @Input() filters: ListAllSnippetsDto,
    @ResponseContext() presentation: ResponseContext,
    @Pages() paging: Paging,
  ): Promise<PresentedSnippet[]> {
    return this.list('all', presentation, { filters, paging });
  }

  /** Shows a snippet. */
  @Get(':id')
  async show(
    @IntegerId('id') id: number,
    @ResponseContext() presentation: ResponseContext,
  ): Promise<PresentedSnippet> {
    return presentSnippet(await this.repository.findVisible(presentation.viewer, id), presentation);
  }

  /** Sends the content of a snippet's first file. */
  @Get(':id/raw')
  @Sends('text/plain')
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
  @Sends('text/plain')
  async rawFile(
    @Param() { id, ref, file_path: path }: FileParams,
    @ResponseContext() { viewer }: ResponseContext,
    @Res() response: Response,
  ): Promise<void> {
    const snippet = await this.repository.findVisible(viewer, parseIntegerId(id, 'id'));
    await sendRawFile(response, await this.content.openFile(snippet, ref, path));
  }

  private async list(
    selection: SnippetSelection,
    presentation: ResponseContext,
    query: { filters: ListAllSnippetsDto; paging: Paging },
  ): Promise<PresentedSnippet[]> {
    const page = await this.repository.list(presentation.viewer, selection, query);
    return query.paging.write(mapPage(page, (row) => presentSnippet(row, presentation)));
  }
}
