import { Module } from '@nestjs/common';
import { GitModule } from '../../git/git.module.js';
import { WikiPagesRepository } from '../wiki-pages.repository.js';
import { PushEvents } from './push-events.service.js';
import { WikiEvents } from './wiki-events.service.js';

/** Events of pushes to projects and to their wikis, in web processes and in workers: these record what dead processes left. */
@Module({ imports: [GitModule], providers: [PushEvents, WikiEvents, WikiPagesRepository] })
export class PushEventsModule {}
