import { Global, Module } from '@nestjs/common';
import { FrameCounters } from '../../core/ui/page-context.js';
import { FrameRepository } from './frame.repository.js';

/** Counters of the frame. Global for FrameCounters, which pages use. */
@Global()
@Module({
  providers: [{ provide: FrameCounters, useClass: FrameRepository }],
  exports: [FrameCounters],
})
export class FrameModule {}
