import { describe, expect, it, jest } from '@jest/globals';
import { parseSetCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { Config } from '../../config/env.js';
import { FlashCookies } from './flash-cookies.service.js';
import type { FlashMessages } from './page-context.js';

const config = { secretKey: 'k'.repeat(48), baseUrl: 'https://code.example' } as Config;
const SECRET: FlashMessages = { notice: 'Made.', secret: { label: 'Token', value: 'svcpat-1' } };

class Exchange {
  readonly cookies: string[] = [];
  readonly response = {
    append: (_: string, cookie: string) => this.cookies.push(cookie),
  } as unknown as Response;

  /** The request of a browser that took the last cookie. */
  get request(): Request {
    const { name, value } = parseSetCookie(this.cookies.at(-1) ?? '');
    return { headers: { cookie: `${name}=${encodeURIComponent(value ?? '')}` } } as Request;
  }
}

function left(messages: FlashMessages, userId: number | null): [FlashCookies, Exchange] {
  const [flash, exchange] = [new FlashCookies(config), new Exchange()];
  flash.leave(exchange.response, messages, userId);
  return [flash, exchange];
}

describe('FlashCookies', () => {
  it('gives what was left to the same user and removes it', () => {
    const [flash, exchange] = left(SECRET, 7);
    expect(exchange.cookies[0]).toMatch(/; Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(flash.take(exchange.request, exchange.response, 7)).toEqual(SECRET);
    expect(exchange.cookies[1]).toMatch(/^_svc_flash=; Max-Age=0; /);
  });

  it('gives a secret to no other user', () => {
    const [flash, exchange] = left(SECRET, 7);
    expect(flash.take(exchange.request, exchange.response, 8)).toEqual({ notice: 'Made.' });
    expect(flash.take(exchange.request, exchange.response, null)).toBeNull();
  });

  it('gives nothing that was left more than a minute ago', () => {
    const [flash, exchange] = left(SECRET, 7);
    const later = Date.now() + 61_000;
    const now = jest.spyOn(Date, 'now').mockReturnValue(later);
    expect(flash.take(exchange.request, exchange.response, 7)).toBeNull();
    now.mockRestore();
  });

  it('rejects cookies that were encrypted with another key', () => {
    const [, exchange] = left(SECRET, 7);
    const other = new FlashCookies({ ...config, secretKey: 'o'.repeat(48) });
    expect(other.take(exchange.request, exchange.response, 7)).toBeNull();
  });

  it('shortens what would not fit into a cookie', () => {
    const [flash, exchange] = left({ alert: 'ä'.repeat(5_000) }, null);
    expect(exchange.cookies[0]?.length).toBeLessThan(4_096);
    expect(flash.take(exchange.request, exchange.response, null)?.alert).toHaveLength(500);
  });
});
