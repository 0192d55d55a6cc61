import { Injectable } from '@nestjs/common';
import { Assets } from '../ui/assets.service.js';
import { renderPage } from '../ui/layout.js';
import { ApiDescription } from './api-description.service.js';
import { ReferencePage } from './reference/reference-page.js';

/** The page that shows the API description; made at its first request, then kept. */
@Injectable()
export class ReferencePages {
  private html: string | null = null;

  constructor(
    private readonly description: ApiDescription,
    private readonly assets: Assets,
  ) {}

  /** The whole HTML document. */
  reference(): string {
    this.html ??= renderPage(
      ReferencePage({
        document: this.description.document,
        styleSheets: ['base.css', 'reference.css'].map((name) => this.assets.pathOf(name)),
      }),
    );
    return this.html;
  }
}
