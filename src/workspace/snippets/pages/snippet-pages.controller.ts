import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Page } from '../../../core/access/access.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { IntegerId, pathParam } from '../../../core/params/ids.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { FormInput } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import {
  SnippetContext,
  SnippetRef,
  type SnippetRequestContext,
  type SnippetReference,
} from '../snippet-access.js';
import { sendRawFile, SnippetContentService } from '../snippet-content.service.js';
import { SnippetsRepository } from '../snippets.repository.js';
import { personalPageContext } from './snippet-page-context.js';
import { SnippetPages } from './snippet-pages.service.js';
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
  list(@Context() pageContext: PageContext, @Pages() paging: Paging): Promise<HttpResponse> {
    return this.pages.list(pageContext, personalPageContext(pageContext.viewer), paging);
  }

  @Get('new')
  newForm(@Context() pageContext: PageContext): HttpResponse {
    return this.pages.newForm(pageContext, personalPageContext(pageContext.viewer));
  }

  /** Creates a personal snippet. */
  @Post('new')
  @RateLimit('create')
  create(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @SnippetContext() change: SnippetRequestContext,
  ): Promise<HttpResponse> {
    return this.pages.create(pageContext, personalPageContext(pageContext.viewer), {
      form,
      change,
    });
  }

  @Get(':id')
  @Page('anyone')
  async show(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
  ): Promise<HttpResponse> {
    const snippet = await this.repository.findVisible(pageContext.viewer, id);
    if (snippet.projectId !== null) return pageContext.redirect(addressOf(snippet));
    return this.pages.show(pageContext, personalPageContext(pageContext.viewer), { snippet });
  }

  @Get(':id/edit')
  async editForm(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
  ): Promise<HttpResponse> {
    const snippet = await this.repository.findVisible(pageContext.viewer, id);
    if (snippet.projectId !== null) return pageContext.redirect(`${addressOf(snippet)}/edit`);
    return this.pages.editForm(pageContext, personalPageContext(pageContext.viewer), snippet);
  }

  /** Changes a snippet and its files. */
  @Post(':id/edit')
  async update(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @SnippetRef('id') change: SnippetReference,
  ): Promise<HttpResponse> {
    const snippet = await this.repository.findVisible(pageContext.viewer, change.snippetId);
    const context = personalPageContext(pageContext.viewer);
    return this.pages.update(pageContext, { context, snippet }, { form, change });
  }

  @Post(':id/delete')
  async delete(
    @Context() pageContext: PageContext,
    @SnippetRef('id') change: SnippetReference,
  ): Promise<HttpResponse> {
    const snippet = await this.repository.findVisible(pageContext.viewer, change.snippetId);
    return this.pages.delete(
      pageContext,
      { context: personalPageContext(pageContext.viewer), snippet },
      change,
    );
  }

  /** Sends the content of the first file. */
  @Get(':id/raw')
  @Page('anyone')
  async raw(
    @Context() { viewer }: PageContext,
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
    @Context() { viewer }: PageContext,
    @IntegerId('id') id: number,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const snippet = await this.repository.findVisible(viewer, id);
    const [ref, path] = [pathParam(request, 'ref'), pathParam(request, 'file_path')];
    await sendRawFile(response, await this.content.openFile(snippet, ref, path));
  }
}
