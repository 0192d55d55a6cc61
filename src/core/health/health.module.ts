import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { HEALTH_QUEUE, ReadinessService } from './readiness.service.js';

/** `/-/health`, `/-/liveness` and `/-/readiness`. */
@Module({
  imports: [BullModule.registerQueue({ name: HEALTH_QUEUE })],
  controllers: [HealthController],
  providers: [ReadinessService],
  exports: [ReadinessService],
})
export class HealthModule {}
