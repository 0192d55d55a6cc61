import { randomBytes } from 'node:crypto';

/**
 * Server-side state of one browser; tokens never leave it.
 * @typedef {object} Session
 * @property {import('./provider.js').Attempt} [attempt]
 * @property {string} [subject]
 * @property {import('./provider.js').Tokens} [tokens]
 */

const COOKIE = 'sample_session';

/** Sessions in memory: gone when the process ends, which is enough for a sample. */
export class Sessions {
  /** @type {Map<string, Session>} */
  #sessions = new Map();

  /**
   * The session that the request's cookie names; without one, an empty one that is not kept.
   * @param {import('node:http').IncomingMessage} request
   * @returns {Session}
   */
  of(request) {
    return this.#sessions.get(idOf(request) ?? '') ?? {};
  }

  /**
   * Begins a new session in place of the browser's old one; answers the header for its cookie.
   * @param {import('node:http').IncomingMessage} request
   * @param {Session} session
   */
  replace(request, session) {
    this.#sessions.delete(idOf(request) ?? '');
    const id = randomBytes(32).toString('base64url');
    this.#sessions.set(id, session);
    return `${COOKIE}=${id}; HttpOnly; SameSite=Lax; Path=/`;
  }
}

/** @param {import('node:http').IncomingMessage} request */
function idOf({ headers }) {
  const [, id] = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(headers.cookie ?? '') ?? [];
  return id;
}
