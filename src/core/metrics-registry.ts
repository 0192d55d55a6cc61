import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';

/** Where features of this process put the figures that `/-/metrics` tells. */
@Injectable()
export class MetricsRegistry {
  readonly registry = new Registry();
}
