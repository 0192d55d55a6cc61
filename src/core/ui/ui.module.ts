import { Global, Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';
import { Assets } from './assets.service.js';
import { ErrorPages } from './error-pages.service.js';
import { FlashCookies } from './flash-cookies.service.js';
import { PageContexts } from './page-contexts.service.js';

/** Building blocks of pages; every feature uses them without an import. */
@Global()
@Module({
  controllers: [AssetsController],
  providers: [Assets, ErrorPages, FlashCookies, PageContexts],
  exports: [Assets, ErrorPages, PageContexts],
})
export class UiModule {}
