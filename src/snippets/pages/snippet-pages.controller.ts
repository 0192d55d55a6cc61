import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Page } from '../../core/access/page.decorator.js';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { pathParam } from '../../core/params/path-param.js';
import { RateLimit } from '../../core/rate-limits/rate-limit.decorator.js';
import { FormInput } from '../../core/ui/form-input.decorator.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { sendRawFile, SnippetContentService } from '../snippet-content.service.js';
import {
  SnippetContext,
  SnippetRef,
  type SnippetRequestContext,
  type SnippetReference,
} from '../snippet.decorators.js';
import { SnippetsRepository } from '../snippets.repository.js';
import { SnippetPages } from './snippet-pages.service.js';
import { personalPlace } from './snippet-place.js';
import { addressOf } from './snippets.page.js';

/** Personal snippets. Those of projects are known here, too, but have their pages there. */
@Controller(atRoot('-/snippets'))
@Page('signed_in')
export class SnippetPagesController {
  constructor(
    private readonly pages: SnippetPages,
    private readonly repository: SnippetsRepository,
    private readonly content: SnippetContentService,
  ) {}

  /** Lists the viewer's own snippets, including project snippets. */
  @Get()
  list(@Shell() shell: PageShell, @Pages() paging: Paging): Promise<Answer> {
    return this.pages.list(shell, personalPlace(shell.viewer), paging);
  }

  /** Shows the form for a new snippet. */
  @Get('new')
  newForm(@Shell() shell: PageShell): Answer {
    return this.pages.newForm(shell, personalPlace(shell.viewer));
  }

  /** Makes a personal snippet. */
  @Post('new')
  @RateLimit('create')
  create(
    @Shell() shell: PageShell,
    @FormInput() form: Record<string, unknown>,
    @SnippetContext() change: SnippetRequestContext,
  ): Promise<Answer> {
    return this.pages.create(shell, personalPlace(shell.viewer), { form, change });
  }

  /** Shows a snippet. */
  @Get(':id')
  @Page('anyone')
  async show(@Shell() shell: PageShell, @IntegerId('id') id: number): Promise<Answer> {
    const snippet = await this.repository.findVisible(shell.viewer, id);
    if (snippet.projectId !== null) return shell.redirect(addressOf(snippet));
    return this.pages.show(shell, personalPlace(shell.viewer), { snippet });
  }

  /** Shows the form for changing a snippet. */
  @Get(':id/edit')
  async editForm(@Shell() shell: PageShell, @IntegerId('id') id: number): Promise<Answer> {
    const snippet = await this.repository.findVisible(shell.viewer, id);
    if (snippet.projectId !== null) return shell.redirect(`${addressOf(snippet)}/edit`);
    return this.pages.editForm(shell, personalPlace(shell.viewer), snippet);
  }

  /** Changes a snippet and its files. */
  @Post(':id/edit')
  async update(
    @Shell() shell: PageShell,
    @FormInput() form: Record<string, unknown>,
    @SnippetRef('id') change: SnippetReference,
  ): Promise<Answer> {
    const snippet = await this.repository.findVisible(shell.viewer, change.snippetId);
    const place = personalPlace(shell.viewer);
    return this.pages.update(shell, { place, snippet }, { form, change });
  }

  /** Deletes a snippet. */
  @Post(':id/delete')
  async delete(
    @Shell() shell: PageShell,
    @SnippetRef('id') change: SnippetReference,
  ): Promise<Answer> {
    const snippet = await this.repository.findVisible(shell.viewer, change.snippetId);
    return this.pages.delete(shell, { place: personalPlace(shell.viewer), snippet }, change);
  }

  /** Sends the content of the first file. */
  @Get(':id/raw')
  @Page('anyone')
  async raw(
    @Shell() { viewer }: PageShell,
    @IntegerId('id') id: number,
    @Res() response: Response,
  ): Promise<void> {
    const snippet = await this.repository.findVisible(viewer, id);
    await sendRawFile(response, await this.content.openFirst(snippet));
  }

  /** Sends the content of one file at a branch, tag or commit. */
  @Get(':id/raw/:ref/*file_path')
  @Page('anyone')
  async rawFile(
    @Shell() { viewer }: PageShell,
    @IntegerId('id') id: number,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const snippet = await this.repository.findVisible(viewer, id);
    const [ref, path] = [pathParam(request, 'ref'), pathParam(request, 'file_path')];
    await sendRawFile(response, await this.content.openFile(snippet, ref, path));
  }
}
