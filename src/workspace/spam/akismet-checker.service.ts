import { Injectable, Logger } from '@nestjs/common';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { failureText, postForm, type FormAnswer } from './captcha-verifier.service.js';
import type { SpammableKind } from './spam-log.entity.js';
import { wholeText, type SpamSender, type Submission } from './submission.js';

/** `discard`: so blatant that no CAPTCHA is offered. */
type AkismetVerdict = 'clean' | 'spam' | 'discard';

/** The service's names of the kinds (Akismet API, Comment Check). */
const COMMENT_TYPES: Record<SpammableKind, string> = {
  issue: 'forum-post',
  merge_request: 'forum-post',
  snippet: 'comment',
  comment: 'reply',
};

/** Spam shows early; more would only be traffic. */
const MAX_CONTENT = 64 * 1024;

/** Asks an Akismet-compatible service (`/1.1/comment-check`) about submissions. */
@Injectable()
export class AkismetChecker {
  private readonly logger = new Logger(AkismetChecker.name);

  constructor(private readonly settings: InstanceSettings) {}

  /** Returns `clean` if the service is disabled, unavailable, slow or rejects the key. */
  async judge(submission: Submission, sender: SpamSender): Promise<AkismetVerdict> {
    const { akismet_enabled, akismet_url, akismet_api_key } = this.settings.values;
    if (!akismet_enabled || akismet_api_key === '') return 'clean';
    try {
      const fields = { api_key: akismet_api_key, ...describe(submission, sender) };
      return this.read(
        await postForm(`${akismet_url.replace(/\/$/, '')}/1.1/comment-check`, fields),
      );
    } catch (error) {
      this.logger.warn(`The spam service did not help: ${failureText(error)}`);
      return 'clean';
    }
  }

  private read({ headers, text }: FormAnswer): AkismetVerdict {
    if (text === 'false') return 'clean';
    if (text === 'true') return headers.get('x-akismet-pro-tip') === 'discard' ? 'discard' : 'spam';
    const help = headers.get('x-akismet-debug-help');
    this.logger.error(
      `The spam service refuses to work, see akismet_api_key and akismet_url${help === null ? '' : ` (${help})`}`,
    );
    return 'clean';
  }
}

function describe(submission: Submission, sender: SpamSender): Record<string, string> {
  return {
    blog: sender.baseUrl,
    blog_charset: 'UTF-8',
    user_ip: sender.ip ?? '',
    user_agent: sender.userAgent,
    referrer: sender.referrer,
    comment_type: COMMENT_TYPES[submission.kind],
    comment_author: sender.viewer.name,
    comment_author_email: sender.viewer.email,
    comment_content: wholeText(submission).slice(0, MAX_CONTENT),
  };
}
