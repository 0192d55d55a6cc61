import { Module } from '@nestjs/common';
import { AddressLimits } from './address-limits.service.js';
import { BruteForceLimiter } from './brute-force-limiter.service.js';
import { RateLimiter } from './rate-limiter.service.js';
import { RateStore } from './rate-store.service.js';

/** Counting of requests, and limits for those who send too many. */
@Module({
  providers: [AddressLimits, BruteForceLimiter, RateLimiter, RateStore],
  exports: [BruteForceLimiter, RateLimiter],
})
export class RateLimitsModule {}
