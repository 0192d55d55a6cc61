import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { MailModule } from '../../core/mail/mail.module.js';
import { UsersModule } from '../users/users.module.js';
import { ActiveSessionsController } from './active-sessions/active-sessions.controller.js';
import { ActiveSessions } from './active-sessions/active-sessions.service.js';
import { EmailChanges } from './emails/email-changes.service.js';
import { EmailsController } from './emails/emails.controller.js';
import { UserEmailsController } from './emails/user-emails.controller.js';
import { PasswordChangeController } from './password-change/password-change.controller.js';
import { PasswordChanges } from './password-change/password-changes.service.js';
import { ProfileController } from './profile/profile.controller.js';
import { Profiles } from './profile/profiles.service.js';
import { ConfirmationController } from './confirmation/confirmation.controller.js';
import { Confirmations } from './confirmation/confirmations.service.js';
import { AddressMails } from './emails/address-mails.service.js';
import { MailLinks } from './mail-links.service.js';
import { MailLinksRepository } from './mail-links.repository.js';
import { PasswordMails } from './password-reset/password-mails.service.js';
import { PasswordResetController } from './password-reset/password-reset.controller.js';
import { PasswordResets } from './password-reset/password-resets.service.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { SignOutController } from './sign-in/sign-out.controller.js';
import { SignUpController } from './sign-up/sign-up.controller.js';
import { SignUps } from './sign-up/sign-ups.service.js';
import { UserCreationController } from './user-creation.controller.js';
import { UserEmailsRepository } from './user-emails.repository.js';

/** Signing in and up with a browser, and settings that users change for their own account. */
@Module({
  imports: [AuthModule, MailModule, UsersModule],
  controllers: [
    ActiveSessionsController,
    EmailsController,
    PasswordChangeController,
    ProfileController,
    UserEmailsController,
    ConfirmationController,
    PasswordResetController,
    SignInController,
    SignOutController,
    SignUpController,
    UserCreationController,
  ],
  providers: [
    ActiveSessions,
    EmailChanges,
    PasswordChanges,
    Profiles,
    AddressMails,
    Confirmations,
    MailLinks,
    MailLinksRepository,
    PasswordMails,
    PasswordResets,
    SignInService,
    SignUps,
    UserEmailsRepository,
  ],
  exports: [AddressMails, MailLinks, MailLinksRepository, PasswordMails, UserEmailsRepository],
})
export class AccountModule {}
