import { Module } from '@nestjs/common';
import { AkismetChecker } from './akismet-checker.service.js';
import { CaptchaVerifier } from './captcha-verifier.service.js';
import { LocalChecker } from './local-checker.service.js';
import { SpamCheck } from './spam-check.service.js';
import { SpamLogs } from './spam-logs.service.js';

/** The spam check that features with public texts ask. */
@Module({
  providers: [AkismetChecker, CaptchaVerifier, LocalChecker, SpamCheck, SpamLogs],
  exports: [SpamCheck],
})
export class SpamModule {}
