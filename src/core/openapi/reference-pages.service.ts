import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { CompressedText } from '../http/compressed-text.js';
import { Assets } from '../ui/assets.service.js';
import { renderPage } from '../ui/document.js';
import { ApiDescription } from './api-description.service.js';
import { ReferencePage } from './reference/reference-page.js';

/** The page that shows the API description; made at its first request, then kept. */
@Injectable()
export class ReferencePages {
  private html: CompressedText | null = null;

  constructor(
    private readonly description: ApiDescription,
    private readonly assets: Assets,
  ) {}

  /** The whole HTML document. */
  reference(): CompressedText {
    this.html ??= new CompressedText(renderPage(this.page()));
    return this.html;
  }

  private page(): VNode {
    return ReferencePage({
      document: this.description.read(),
      icon: this.assets.pathOf('icon.svg'),
      styleSheets: ['base.css', 'reference.css'].map((name) => this.assets.pathOf(name)),
    });
  }
}
