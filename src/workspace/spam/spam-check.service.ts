import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/auth-context.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { AkismetChecker, CaptchaVerifier } from './external-checks.service.js';
import { LocalChecker } from './local-checker.service.js';
import { SpamLogsRepository, type SpammableKind, type Suspicion } from './spam-logs.repository.js';
import type { SpamSender, Submission } from './submission.js';
import { ApiError } from '../../core/errors.js';

/** Certainty of a verdict: `beyond doubt` offers no CAPTCHA. */
interface Verdict extends Suspicion {
  beyondDoubt: boolean;
}

/**
 * Decides if a submission can be published (API doc, Errors 7). Callers check only content that
 * others than its author and the members of its place can see, and only after all other validation:
 * the check uses up a solved CAPTCHA.
 */
@Injectable()
export class SpamCheck {
  constructor(
    private readonly settings: InstanceSettings,
    private readonly local: LocalChecker,
    private readonly akismet: AkismetChecker,
    private readonly captcha: CaptchaVerifier,
    private readonly logs: SpamLogsRepository,
  ) {}

  /**
   * Throws 400 for spam, or 409 where a CAPTCHA can be solved. A solution that is wrong, or for a
   * log that is not the sender's, expired or spent, counts as none; the answer names a new log.
   */
  async assertClean(submission: Submission, sender: SpamSender): Promise<void> {
    if (!this.settings.values.spam_check_enabled || isTrusted(sender.viewer)) return;
    if (await this.isSolved(submission.kind, sender)) return;
    const verdict = await this.judge(submission, sender);
    if (verdict === null) return;
    const { beyondDoubt, ...suspicion } = verdict;
    const spamLogId = await this.logs.add(submission, sender, suspicion);
    const { siteKey } = this.captcha;
    if (siteKey === null || beyondDoubt) throw spamDiscarded(submission.kind);
    throw captchaNeeded(submission.kind, { spamLogId, siteKey });
  }

  private async isSolved(kind: SpammableKind, sender: SpamSender): Promise<boolean> {
    const { captchaResponse, spamLogId, viewer, ip } = sender;
    if (this.captcha.siteKey === null || !captchaResponse || spamLogId === null) return false;
    const claim = { id: spamLogId, userId: viewer.id, kind };
    // Logs that cannot be redeemed must not cause requests to the provider.
    if (!(await this.logs.isRedeemable(claim))) return false;
    return (await this.captcha.accepts(captchaResponse, ip)) && this.logs.redeem(claim);
  }

  private async judge(submission: Submission, sender: SpamSender): Promise<Verdict | null> {
    const reason = await this.local.suspicion(submission, sender);
    if (reason !== null) return { checker: 'local', reason, beyondDoubt: false };
    const verdict = await this.akismet.judge(submission, sender);
    if (verdict === 'clean') return null;
    return { checker: 'akismet', reason: verdict, beyondDoubt: verdict === 'discard' };
  }
}

/** Bots of projects are not trusted: everyone who can create a project can create them. */
function isTrusted({ admin, userType }: Viewer): boolean {
  return admin || userType === 'internal';
}

/** 400 for spam that no CAPTCHA can save (API doc, Errors 7). */
function spamDiscarded(kind: SpammableKind): ApiError {
  const error = `Your ${nounOf(kind)} has been recognized as spam and has been discarded.`;
  return new ApiError(400, { message: { error } });
}

/** 409 with what the client needs to show the CAPTCHA and to send the same again. */
function captchaNeeded(
  kind: SpammableKind,
  { spamLogId, siteKey }: { spamLogId: number; siteKey: string },
): ApiError {
  const error = `Your ${nounOf(kind)} has been recognized as spam. Please, change the content or solve the reCAPTCHA to proceed.`;
  return new ApiError(409, {
    needs_captcha_response: true,
    spam_log_id: spamLogId,
    captcha_site_key: siteKey,
    message: { error },
  });
}

function nounOf(kind: SpammableKind): string {
  return kind.replace('_', ' ');
}
