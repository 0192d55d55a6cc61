import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { MailModule } from '../mail/mail.module.js';
import { UsersModule } from '../users/users.module.js';
import { MailLinks } from './mail-links/mail-links.service.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { SignOutController } from './sign-in/sign-out.controller.js';

/** Entering with a browser, and coming to an account in the first place. */
@Module({
  imports: [AuthModule, MailModule, UsersModule],
  controllers: [SignInController, SignOutController],
  providers: [MailLinks, SignInService],
  exports: [MailLinks],
})
export class AccountModule {}
