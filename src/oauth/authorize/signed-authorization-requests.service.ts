import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Clock } from '../../core/clock.js';
import { TextCipher } from '../../core/text-cipher.js';
import type { AuthorizationRequest } from './authorization-request.js';

const LIFETIME_MS = 600_000;

interface SignedRequest {
  request: AuthorizationRequest;
  sessionId: number;
  /** Milliseconds since 1970. */
  until: number;
}

/**
 * Keeps the displayed request in the consent form itself, encrypted and bound to the session: exactly
 * that request can be approved; other fields of the form are ignored.
 */
@Injectable()
export class SignedAuthorizationRequests {
  private readonly cipher: TextCipher;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly clock: Clock,
  ) {
    this.cipher = new TextCipher(config.secretKey, 'oauth consent');
  }

  /** Returns the request as a form's field, valid for ten minutes of this session. */
  sign(request: AuthorizationRequest, sessionId: number): string {
    const until = this.clock.now().getTime() + LIFETIME_MS;
    const signed: SignedRequest = { request, sessionId, until };
    return this.cipher.encrypt(JSON.stringify(signed));
  }

  /** Returns the request that was signed for this session, or null if it has expired or is forged. */
  verify(text: unknown, sessionId: number): AuthorizationRequest | null {
    const json = typeof text === 'string' ? this.cipher.decrypt(text) : null;
    if (json === null) return null;
    const signed = JSON.parse(json) as SignedRequest;
    const isCurrent = signed.until > this.clock.now().getTime() && signed.sessionId === sessionId;
    return isCurrent ? signed.request : null;
  }
}
