import { Inject, Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { TextCipher } from '../text-cipher.js';
import type { FlashMessages } from './page-context.js';

const NAME = '_svc_flash';
const SECONDS = 60;
/** Browsers drop cookies of more than 4096 bytes. */
const MAX_TEXT = 500;

interface FlashCookie {
  messages: FlashMessages;
  /** User who can read it, null = an anonymous browser. */
  userId: number | null;
  /** Milliseconds since 1970. */
  until: number;
}

/**
 * Flash messages: encrypted cookies that carry the result of an action to the next page. They
 * expire after a minute, and are removed when they are shown. A secret is only for the same user.
 */
@Injectable()
export class FlashCookies {
  private readonly cipher: TextCipher;
  private readonly secure: boolean;

  constructor(@Inject(CONFIG) config: Config) {
    this.cipher = new TextCipher(config.secretKey, 'flash messages');
    this.secure = config.baseUrl.startsWith('https:');
  }

  /** Leaves the messages for the next page of this browser. */
  leave(response: Response, messages: FlashMessages, userId: number | null): void {
    const cookie: FlashCookie = {
      messages: shortened(messages),
      userId,
      until: Date.now() + SECONDS * 1000,
    };
    this.set(response, this.cipher.encrypt(JSON.stringify(cookie)), SECONDS);
  }

  /** Takes what was left; null when nothing was, or it was too long ago. */
  take(request: Request, response: Response, userId: number | null): FlashMessages | null {
    const value = parseCookie(request.headers.cookie ?? '')[NAME];
    if (value === undefined || value === '') return null;
    this.set(response, '', 0);
    const text = this.cipher.decrypt(value);
    if (text === null) return null;
    const { messages, until, userId: owner } = JSON.parse(text) as FlashCookie;
    if (until < Date.now()) return null;
    return owner === userId ? messages : withoutSecret(messages);
  }

  private set(response: Response, value: string, maxAge: number): void {
    const cookie = stringifySetCookie(NAME, value, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.secure,
      maxAge,
    });
    response.append('Set-Cookie', cookie);
  }
}

function shortened({ notice, alert, secret }: FlashMessages): FlashMessages {
  return {
    ...(notice === undefined ? {} : { notice: notice.slice(0, MAX_TEXT) }),
    ...(alert === undefined ? {} : { alert: alert.slice(0, MAX_TEXT) }),
    ...(secret === undefined ? {} : { secret }),
  };
}

function withoutSecret({ secret: _, ...others }: FlashMessages): FlashMessages {
  return others;
}
