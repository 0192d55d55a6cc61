import { createServer } from 'node:http';
import { profilePage, refusedPage, welcomePage } from './pages.js';
import { Provider, reasonOf } from './provider.js';
import { Sessions } from './sessions.js';
import { readSettings } from './settings.js';

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {{ status?: number, location?: string, cookie?: string, html?: string }} Reply */

const settings = readSettings(process.env);
const provider = await Provider.discover(settings);
const sessions = new Sessions();
let origin = '';

/** Handlers by request. @type {Record<string, (request: Request) => Promise<Reply>>} */
const routes = {
  'GET /': async (request) => {
    const { tokens, subject } = sessions.of(request);
    if (!tokens || subject === undefined) return { html: welcomePage() };
    const user = await provider.currentUser(tokens);
    if (user.status !== 200) return refused(`GET /api/v4/user answers ${user.status}`);
    const profile = await provider.profile(tokens, subject);
    return { html: profilePage(profile, user, tokens.expiresAt) };
  },

  'GET /login': async (request) => {
    const { url, attempt } = await provider.begin(`${origin}/callback`);
    return { location: url.href, cookie: sessions.replace(request, { attempt }) };
  },

  'GET /callback': async (request) => {
    const { attempt } = sessions.of(request);
    if (!attempt) return refused('This browser has not asked to sign in.');
    const signedIn = await provider.finish(new URL(request.url ?? '', origin), attempt);
    // A new session ID, which was never sent to another browser.
    return { location: '/', cookie: sessions.replace(request, signedIn) };
  },

  'POST /refresh': async (request) => {
    const session = sessions.of(request);
    if (session.tokens) session.tokens = await provider.refresh(session.tokens);
    return { location: '/' };
  },

  // The tokens are kept although they are dead, to show how they are refused from now on.
  'POST /revoke': async (request) => {
    const { tokens } = sessions.of(request);
    if (tokens) await provider.revoke(tokens);
    return { location: '/' };
  },
};

/**
 * @param {string} reason
 * @returns {Reply}
 */
function refused(reason) {
  return { status: 403, html: refusedPage(reason) };
}

/**
 * @param {Request} request
 * @returns {Promise<Reply>}
 */
async function reply(request) {
  const { pathname } = new URL(request.url ?? '/', origin);
  const route = routes[`${request.method} ${pathname}`];
  if (route === undefined) return { status: 404, html: refusedPage('There is no such page.') };
  try {
    return await route(request);
  } catch (error) {
    console.error(error);
    return refused(reasonOf(error));
  }
}

const server = createServer((request, response) => {
  void reply(request).then(({ status, location, cookie, html = '' }) => {
    response.writeHead(location === undefined ? (status ?? 200) : 303, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
      ...(location !== undefined && { Location: location }),
      ...(cookie !== undefined && { 'Set-Cookie': cookie }),
    });
    response.end(html);
  });
});

server.listen(settings.port, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port to listen on');
  origin = `http://127.0.0.1:${address.port}`;
  console.log(`Sample client on ${origin}`);
});
