import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { PushEvents } from './push-events.service.js';

/** Events of pushes, in web processes and in workers: these record what dead processes left. */
@Module({ imports: [GitModule], providers: [PushEvents] })
export class PushEventsModule {}
