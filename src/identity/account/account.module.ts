import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { MailModule } from '../../core/mail/mail.module.js';
import { UsersModule } from '../users/users.module.js';
import { ActiveSessionsController } from './active-sessions/active-sessions.controller.js';
import { UserEmailsService } from './emails/user-emails.service.js';
import { EmailPagesController } from './emails/email-pages.controller.js';
import { UserEmailsController } from './emails/user-emails.controller.js';
import { ProfileController } from './profile/profile.controller.js';
import { ConfirmationController } from './emails/confirmation.controller.js';
import { AccountEmails } from './account-emails.service.js';
import { MailLinks } from './mail-links.service.js';
import { MailLinksRepository } from './mail-links.repository.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { SignUpController } from './sign-in/sign-up.controller.js';
import { UserCreationController } from './user-creation.controller.js';
import { UserEmailsRepository } from './user-emails.repository.js';
import { PasswordsController } from './passwords/passwords.controller.js';
import { PasswordsService } from './passwords/passwords.service.js';

/** Signing in and up with a browser, and settings that users change for their own account. */
@Module({
  imports: [AuthModule, MailModule, UsersModule],
  controllers: [
    ActiveSessionsController,
    ConfirmationController,
    EmailPagesController,
    PasswordsController,
    ProfileController,
    SignInController,
    SignUpController,
    UserCreationController,
    UserEmailsController,
  ],
  providers: [
    AccountEmails,
    MailLinks,
    MailLinksRepository,
    PasswordsService,
    SignInService,
    UserEmailsRepository,
    UserEmailsService,
  ],
})
export class AccountModule {}
