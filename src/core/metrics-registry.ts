import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';

/** Registry of this process's metrics for `/-/metrics`. */
@Injectable()
export class MetricsRegistry {
  readonly registry = new Registry();
}
