import { Injectable } from '@nestjs/common';
import { renderToString } from 'preact-render-to-string';
import { type ResourceSummary, resourcesOf } from '../openapi-document.js';
import { ApiDescription } from '../openapi.controller.js';
import { Basics } from './overview.page.js';
import { ResourceContent } from './resource.page.js';

/**
 * The API reference as HTML, which is the same for everyone: rendered once per page, at the first
 * request. The description itself takes more memory than the pages that people read.
 */
@Injectable()
export class ApiReference {
  private summaries: ResourceSummary[] | null = null;
  private readonly pages = new Map<string, string>();

  constructor(private readonly description: ApiDescription) {}

  get resources(): readonly ResourceSummary[] {
    this.summaries ??= resourcesOf(this.description.read()).map(
      ({ name, slug, description, operations }) => ({
        name,
        slug,
        description,
        operations: operations.map(({ method, path, operation }) => {
          const { operationId: id, summary } = operation;
          const text = `${method} ${path} ${summary} ${name}`.toLowerCase();
          return { id, method, path, summary, text };
        }),
      }),
    );
    return this.summaries;
  }

  /** Section shared by all resources. */
  get basics(): string {
    return this.remembered('', () => renderToString(Basics({ document: this.description.read() })));
  }

  /** The content of a resource's page. */
  contentOf({ slug }: ResourceSummary): string {
    return this.remembered(slug, () => {
      const document = this.description.read();
      const resource = resourcesOf(document).find((one) => one.slug === slug);
      if (resource === undefined) throw new Error(`no resource ${slug}`);
      return renderToString(ResourceContent({ document, resource }));
    });
  }

  private remembered(key: string, render: () => string): string {
    const known = this.pages.get(key);
    if (known !== undefined) return known;
    const html = render();
    this.pages.set(key, html);
    return html;
  }
}
