import { Module } from '@nestjs/common';
import { ClientKeysRepository } from './client-keys/client-keys.repository.js';
import { ErrorHashesRepository } from './error-hashes.repository.js';
import { ErrorOutcomesRepository } from './error-outcomes.repository.js';
import { ErrorStatisticsRepository } from './error-statistics.repository.js';
import { ErrorGroupsRepository } from './errors/error-groups.repository.js';
import { ErrorEventsRepository } from './events/error-events.repository.js';

const REPOSITORIES = [
  ClientKeysRepository,
  ErrorEventsRepository,
  ErrorHashesRepository,
  ErrorOutcomesRepository,
  ErrorStatisticsRepository,
  ErrorGroupsRepository,
];

/** The repositories of error tracking, for the web and the worker process. */
@Module({ providers: REPOSITORIES, exports: REPOSITORIES })
export class ErrorRepositoriesModule {}
