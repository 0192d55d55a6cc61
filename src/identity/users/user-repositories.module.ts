import { Module } from '@nestjs/common';
import { InternalUsersRepository } from './internal-users.repository.js';
import { NamespacesRepository } from './namespaces.repository.js';
import { RouteRedirectsRepository } from './route-redirects.repository.js';
import { UserDeletionsRepository } from './user-deletions.repository.js';
import { UsersRepository } from './users.repository.js';

const REPOSITORIES = [
  InternalUsersRepository,
  NamespacesRepository,
  RouteRedirectsRepository,
  UserDeletionsRepository,
  UsersRepository,
];

/** Repositories of users and namespaces; apart from UsersModule, which brings endpoints along. */
@Module({ providers: REPOSITORIES, exports: REPOSITORIES })
export class UserRepositoriesModule {}
