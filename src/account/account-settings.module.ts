import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { MailModule } from '../mail/mail.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountModule } from './account.module.js';
import { ActiveSessionsController } from './active-sessions/active-sessions.controller.js';
import { ActiveSessions } from './active-sessions/active-sessions.service.js';
import { EmailChanges } from './emails/email-changes.service.js';
import { EmailsController } from './emails/emails.controller.js';
import { UserEmailsController } from './emails/user-emails.controller.js';
import { PasswordChangeController } from './password-change/password-change.controller.js';
import { PasswordChanges } from './password-change/password-changes.service.js';
import { PasswordNotices } from './password-change/password-notices.service.js';
import { ProfileController } from './profile/profile.controller.js';
import { Profiles } from './profile/profiles.service.js';

/** Settings that signed-in users change for their own account. */
@Module({
  imports: [AccountModule, AuthModule, MailModule, UsersModule],
  controllers: [
    ActiveSessionsController,
    EmailsController,
    PasswordChangeController,
    ProfileController,
    UserEmailsController,
  ],
  providers: [ActiveSessions, EmailChanges, PasswordChanges, PasswordNotices, Profiles],
})
export class AccountSettingsModule {}
