import { Module } from '@nestjs/common';
import { UsersModule } from '../users.module.js';
import { UserPagesController } from './user-pages.controller.js';
import { UserStatePagesController } from './user-state-pages.controller.js';

/** The administrators' pages about users; apart from UsersModule, which processes without pages use. */
@Module({ imports: [UsersModule], controllers: [UserPagesController, UserStatePagesController] })
export class UserPagesModule {}
