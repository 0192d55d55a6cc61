import { Module } from '@nestjs/common';
import { ClientKeysRepository } from './client-keys/client-keys.repository.js';
import { ErrorActivitiesRepository } from './error-activities.repository.js';
import { ErrorHashesRepository } from './error-hashes.repository.js';
import { ErrorOutcomesRepository } from './error-outcomes.repository.js';
import { ErrorStatisticsRepository } from './error-statistics.repository.js';
import { ErrorGroupsRepository } from './errors/error-groups.repository.js';
import { ErrorEventsRepository } from './events/error-events.repository.js';
import { ErrorMergesRepository } from './merges/error-merges.repository.js';
import { ErrorReleasesRepository } from './releases/error-releases.repository.js';

const REPOSITORIES = [
  ClientKeysRepository,
  ErrorActivitiesRepository,
  ErrorEventsRepository,
  ErrorHashesRepository,
  ErrorMergesRepository,
  ErrorOutcomesRepository,
  ErrorReleasesRepository,
  ErrorStatisticsRepository,
  ErrorGroupsRepository,
];

/** The repositories of error tracking, for the web and the worker process. */
@Module({ providers: REPOSITORIES, exports: REPOSITORIES })
export class ErrorRepositoriesModule {}
