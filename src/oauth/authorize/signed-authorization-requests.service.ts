import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { Clock } from '../../core/clock.js';
import { TextCipher } from '../../core/text-cipher.js';
import type { AuthorizationRequest } from './authorization-request.js';

const LIFETIME_MS = 600_000;

interface Sealed {
  request: AuthorizationRequest;
  sessionId: number;
  /** Milliseconds since 1970. */
  until: number;
}

/**
 * Keeps what a person was shown in the consent form itself, sealed and bound to the session: what
 * is approved is what was shown; other fields of the form are ignored.
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

  /** The request as a form's field, good for ten minutes of this session. */
  seal(request: AuthorizationRequest, sessionId: number): string {
    const until = this.clock.now().getTime() + LIFETIME_MS;
    const sealed: Sealed = { request, sessionId, until };
    return this.cipher.encrypt(JSON.stringify(sealed));
  }

  /** The request that was sealed for this session; null when it is too old or not ours. */
  open(text: unknown, sessionId: number): AuthorizationRequest | null {
    const json = typeof text === 'string' ? this.cipher.decrypt(text) : null;
    if (json === null) return null;
    const sealed = JSON.parse(json) as Sealed;
    const isCurrent = sealed.until > this.clock.now().getTime() && sealed.sessionId === sessionId;
    return isCurrent ? sealed.request : null;
  }
}
