import { Controller, Post } from '@nestjs/common';
import { Page } from '../access/access.decorator.js';
import type { HttpResponse } from '../http/http-response.js';
import { atRoot } from '../http/paths.js';
import { Markdown } from './components/markdown.js';
import { FormInput, given } from './forms.js';
import type { PageContext } from './page-context.js';
import { Context } from './page-contexts.service.js';
import { projectOfPath } from './references/page-references.js';

/** Previews of texts that are being written. */
@Controller(atRoot('-/markdown_preview'))
@Page('signed_in')
export class MarkdownPreviewController {
  /** Renders the field `text` as the page at `path` will show it. */
  @Post()
  render(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
  ): HttpResponse {
    const project = projectOfPath(given(form, 'path'));
    return pageContext.fragment(<Markdown text={given(form, 'text')} project={project} />);
  }
}
