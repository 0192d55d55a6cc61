import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { MailModule } from '../mail/mail.module.js';
import { UsersModule } from '../users/users.module.js';
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

/** Entering with a browser, and coming to an account in the first place. */
@Module({
  imports: [AuthModule, MailModule, UsersModule],
  controllers: [
    ConfirmationController,
    PasswordResetController,
    SignInController,
    SignOutController,
    SignUpController,
    UserCreationController,
  ],
  providers: [
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
