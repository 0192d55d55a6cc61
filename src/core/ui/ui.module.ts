import { Global, Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';
import { Assets } from './assets.service.js';
import { ErrorPages } from './error-pages.service.js';
import { FlashCookies } from './flash-cookies.service.js';
import { CodeHighlighter } from './highlighting/code-highlighter.service.js';
import { MarkdownPreviewController } from './markdown-preview.controller.js';
import { PageContexts } from './page-contexts.service.js';
import { PreferencePagesController } from './preference-pages.controller.js';
import { StyleguideController } from './styleguide.controller.js';

/** Building blocks of pages; every feature uses them without an import. */
@Global()
@Module({
  controllers: [
    AssetsController,
    MarkdownPreviewController,
    PreferencePagesController,
    StyleguideController,
  ],
  providers: [Assets, CodeHighlighter, ErrorPages, FlashCookies, PageContexts],
  exports: [Assets, ErrorPages, PageContexts],
})
export class UiModule {}
