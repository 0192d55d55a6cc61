import { Global, Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';
import { Assets } from './assets.service.js';
import { ErrorPages } from './error-pages.service.js';
import { FlashCookies } from './flash-cookies.service.js';
import { PageShells } from './page-shells.service.js';

/** Building blocks of pages; every feature uses them without an import. */
@Global()
@Module({
  controllers: [AssetsController],
  providers: [Assets, ErrorPages, FlashCookies, PageShells],
  exports: [Assets, ErrorPages, PageShells],
})
export class UiModule {}
