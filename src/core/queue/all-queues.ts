import { BullModule, getQueueToken } from '@nestjs/bull';
import type { DynamicModule, FactoryProvider } from '@nestjs/common';
import type { Queue } from 'bull';
import { QUEUES } from './queues.js';

/** All queues, for who looks at them: `@Inject(ALL_QUEUES) queues: Queue[]`. */
export const ALL_QUEUES = Symbol('all queues');

const NAMES = Object.values(QUEUES);

/** Provides the list of all queues. */
export const ALL_QUEUES_PROVIDER: FactoryProvider<Queue[]> = {
  provide: ALL_QUEUES,
  inject: NAMES.map((name) => getQueueToken(name)),
  useFactory: (...queues: Queue[]) => queues,
};

/** The module that a module with ALL_QUEUES_PROVIDER imports. */
export function allQueuesModule(): DynamicModule {
  return BullModule.registerQueue(...NAMES.map((name) => ({ name })));
}
