import { Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.js';
import { Assets } from './assets.service.js';

/** What pages for people are made of. */
@Module({ controllers: [AssetsController], providers: [Assets], exports: [Assets] })
export class UiModule {}
