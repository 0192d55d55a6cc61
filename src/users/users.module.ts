import { Module } from '@nestjs/common';
import { UserCreationService } from './user-creation.service.js';

/** Users and the namespaces they own; their endpoints live in AccountsModule above auth. */
@Module({ providers: [UserCreationService], exports: [UserCreationService] })
export class UsersModule {}
