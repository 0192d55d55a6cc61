import { Module } from '@nestjs/common';
import { AkismetChecker, CaptchaVerifier } from './external-checks.service.js';
import { LocalChecker } from './local-checker.service.js';
import { SpamCheck } from './spam-check.service.js';
import { SpamLogsRepository } from './spam-logs.repository.js';

/** Spam check for features with public texts. */
@Module({
  providers: [AkismetChecker, CaptchaVerifier, LocalChecker, SpamCheck, SpamLogsRepository],
  exports: [SpamCheck],
})
export class SpamModule {}
