import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { HEALTH_QUEUE } from './health-queue.js';
import { HealthController } from './health.controller.js';
import { ReadinessService } from './readiness.service.js';

/** `/-/health`, `/-/liveness` and `/-/readiness`. */
@Module({
  imports: [BullModule.registerQueue({ name: HEALTH_QUEUE })],
  controllers: [HealthController],
  providers: [ReadinessService],
  exports: [ReadinessService],
})
export class HealthModule {}
