import { Injectable, Logger } from '@nestjs/common';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import type { SpammableKind } from './spam-logs.repository.js';
import { wholeText, type SpamSender, type Submission } from './submission.js';

const TIMEOUT_MS = 3_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Successful response of a service. */
interface FormAnswer {
  headers: Headers;
  text: string;
}

/**
 * Sends a form to a service that an administrator configured. Throws for anything but an answer
 * of success within 3 seconds and 64 KiB; redirects count as failure, so that the service cannot
 * send us to other addresses. Messages of errors hold no field of the form.
 */
async function postForm(
  address: string,
  fields: Readonly<Record<string, string>>,
): Promise<FormAnswer> {
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`${url.protocol} is no protocol for a service`);
  }
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'User-Agent': 'Guildhall' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.ok) return { headers: response.headers, text: await boundedText(response) };
  await response.body?.cancel();
  throw new Error(`${url.origin} answered ${response.status}`);
}

async function boundedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns the log text of a failed `postForm`, without secrets. */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}

/** Errors of our own configuration, with which no answer could ever be right. */
const OUR_FAULTS = ['missing-input-secret', 'invalid-input-secret'];

/** Answers of the known providers look so; what else gets past their front could break them. */
const ANSWER = /^[\w .~+/=:-]{1,8192}$/;

interface Verification {
  success: boolean;
  codes: unknown[];
}

/** Verifies answers to CAPTCHAs by the provider's v2 `siteverify` protocol. */
@Injectable()
export class CaptchaVerifier {
  private readonly logger = new Logger(CaptchaVerifier.name);

  constructor(private readonly settings: InstanceSettings) {}

  /** The key with which clients show the CAPTCHA; null when there is none to show. */
  get siteKey(): string | null {
    const { recaptcha_enabled, recaptcha_site_key, recaptcha_private_key } = this.settings.values;
    const isComplete = recaptcha_site_key !== '' && recaptcha_private_key !== '';
    return recaptcha_enabled && isComplete ? recaptcha_site_key : null;
  }

  /**
   * Returns true if the provider accepts the answer; impossible answers are not sent to it. If the
   * provider is unavailable or rejects our key, every answer is accepted and the failure is logged,
   * so that users can keep working.
   */
  async accepts(answer: string, ip: string | null): Promise<boolean> {
    if (!ANSWER.test(answer)) return false;
    const { recaptcha_private_key: secret, recaptcha_verify_url: url } = this.settings.values;
    try {
      const fields = { secret, response: answer, ...(ip !== null && { remoteip: ip }) };
      return this.judge(read((await postForm(url, fields)).text));
    } catch (error) {
      this.logger.warn(`A CAPTCHA counts as solved without proof: ${failureText(error)}`);
      return true;
    }
  }

  private judge({ success, codes }: Verification): boolean {
    if (success) return true;
    const fault = OUR_FAULTS.find((code) => codes.includes(code));
    if (fault === undefined) return false;
    this.logger.error(`CAPTCHAs count as solved without proof: recaptcha_private_key is ${fault}`);
    return true;
  }
}

/** Throws for what is no answer of the protocol. */
function read(text: string): Verification {
  const body: unknown = JSON.parse(text);
  if (typeof body !== 'object' || body === null || !('success' in body)) {
    throw new Error('the answer has no success');
  }
  const codes = 'error-codes' in body ? body['error-codes'] : [];
  return { success: body.success === true, codes: Array.isArray(codes) ? codes : [] };
}

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
