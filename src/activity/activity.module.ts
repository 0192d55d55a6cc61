import { Global, Module } from '@nestjs/common';
import { Activity } from './activity.service.js';

/** Recording events: nearly everything that people do leaves one, so it is there for all. */
@Global()
@Module({ providers: [Activity], exports: [Activity] })
export class ActivityModule {}
