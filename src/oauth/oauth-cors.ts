import type { NextFunction, Request, Response } from 'express';
import { isPreflight } from '../core/http/api-rules.middleware.js';

interface CorsRule {
  methods: string;
  /** Request headers that a preflight can name beside the simple ones. */
  headers: readonly string[];
}

const POSTED: CorsRule = { methods: 'POST, OPTIONS', headers: ['authorization'] };
const PUBLISHED: CorsRule = { methods: 'GET, HEAD', headers: [] };

/** Endpoints below /oauth that scripts of any origin can call (API doc, Cross-origin rules). */
const RULES: Readonly<Record<string, CorsRule>> = {
  '/oauth/token': POSTED,
  '/oauth/revoke': POSTED,
  '/oauth/token/info': { methods: 'GET, HEAD, OPTIONS', headers: ['authorization'] },
  '/oauth/userinfo': { methods: 'GET, HEAD, POST, OPTIONS', headers: ['authorization'] },
  '/oauth/discovery/keys': PUBLISHED,
  '/.well-known/openid-configuration': PUBLISHED,
  '/.well-known/oauth-authorization-server': PUBLISHED,
  '/.well-known/webfinger': PUBLISHED,
};

/** Request headers that need no permission (Fetch standard, CORS-safelisted request-headers). */
const SIMPLE_HEADERS = ['accept', 'accept-language', 'content-language', 'content-type', 'range'];

const PREFLIGHT_SECONDS = '7200';

/**
 * Cross-origin headers of the OAuth endpoints, without credentials: cookies mean nothing there. A
 * preflight that names another header, as X-Requested-With, gets none of them.
 */
export function allowOAuthOrigins(request: Request, response: Response, next: NextFunction): void {
  const { origin } = request.headers;
  const rule = origin === undefined ? undefined : ruleOf(request);
  if (rule === undefined) {
    next();
    return;
  }
  response.vary('Origin');
  if (!isPreflight(request)) {
    allow(response, rule);
    next();
    return;
  }
  const asked = namesIn(request.headers['access-control-request-headers']);
  if (asked.every((name) => SIMPLE_HEADERS.includes(name) || rule.headers.includes(name))) {
    allow(response, rule);
    if (asked.length > 0) response.setHeader('Access-Control-Allow-Headers', asked.join(', '));
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
  }
  response.statusCode = 204;
  response.end();
}

function ruleOf({ path }: Request): CorsRule | undefined {
  return Object.hasOwn(RULES, path) ? RULES[path] : undefined;
}

function allow(response: Response, { methods }: CorsRule): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Allow-Methods', methods);
}

function namesIn(header: string | undefined): string[] {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== '');
}
