import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { MailModule } from '../mail/mail.module.js';
import { UsersModule } from '../users/users.module.js';
import { MailLinks } from './mail-links/mail-links.service.js';

/** Entering with a browser, and what people change of their own accounts. */
@Module({
  imports: [AuthModule, MailModule, UsersModule],
  controllers: [],
  providers: [MailLinks],
})
export class AccountModule {}
