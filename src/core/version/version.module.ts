import { Module } from '@nestjs/common';
import { VersionController } from './version.controller.js';

/** `GET /version` and `GET /metadata`. */
@Module({ controllers: [VersionController] })
export class VersionModule {}
