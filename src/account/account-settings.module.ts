import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { UsersModule } from '../users/users.module.js';
import { ActiveSessionsController } from './active-sessions/active-sessions.controller.js';
import { ActiveSessions } from './active-sessions/active-sessions.service.js';
import { UserEmails } from './emails/user-emails.service.js';
import { PasswordChangeController } from './password-change/password-change.controller.js';
import { PasswordChanges } from './password-change/password-changes.service.js';
import { ProfileController } from './profile/profile.controller.js';
import { Profiles } from './profile/profiles.service.js';

/** What signed-in people decide about their own account. */
@Module({
  imports: [AuthModule, UsersModule],
  controllers: [ActiveSessionsController, PasswordChangeController, ProfileController],
  providers: [ActiveSessions, PasswordChanges, Profiles, UserEmails],
})
export class AccountSettingsModule {}
