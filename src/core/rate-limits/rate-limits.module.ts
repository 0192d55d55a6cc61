import { Module } from '@nestjs/common';
import { BruteForceLimiter } from './brute-force-limiter.service.js';
import { CreationLimit } from './creation-limit.service.js';
import { ProtectedPaths } from './protected-paths.service.js';
import { RateLimiter } from './rate-limiter.service.js';
import { RateStore } from './rate-store.service.js';
import { SharedCounters } from './shared-counters.service.js';
import { UnreadableBodies } from './unreadable-bodies.service.js';

/** Counting of requests, for what refuses too many of them. */
@Module({
  providers: [
    BruteForceLimiter,
    CreationLimit,
    ProtectedPaths,
    RateLimiter,
    RateStore,
    SharedCounters,
    UnreadableBodies,
  ],
  exports: [BruteForceLimiter, CreationLimit, RateLimiter],
})
export class RateLimitsModule {}
