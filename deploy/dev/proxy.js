import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, createServer, request as sendRequest } from 'node:http';
import { join } from 'node:path';
import { ROOT } from '../local/build.js';
import { printRequest } from './log.js';

const ASSETS = join(ROOT, 'src/core/ui/assets');
/** The compiled style sheet names its font without a digest. */
const ASSET = /^\/-\/assets\/([a-z-]+?)(?:-[0-9a-f]{16})?\.(css|js|svg|woff2)(?:\?|$)/;
const MEDIA_TYPES = {
  css: 'text/css',
  js: 'text/javascript',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};
const SCRIPT = '/-/dev/reload.js';
const EVENTS = '/-/dev/events';
/** Matches a content security policy that allows scripts of the same origin. */
const SCRIPT_ALLOWED = /script-src [^;]*'self'/;

/**
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 * @typedef {import('node:http').ServerResponse} ServerResponse
 */

/**
 * Proxies browsers to the web process: holds requests during a restart, injects a reload script
 * into pages, and serves current style sheets and scripts. Passes everything else unchanged.
 */
export class DevProxy {
  /** Port of the web process; 0 when it is not running. */
  target = 0;
  /** Current versions, which open pages compare with their own. */
  #versions = { page: `${Date.now()}-0`, styles: `${Date.now()}-0` };
  /** @type {Set<ServerResponse>} */
  #listeners = new Set();
  /** @type {{ promise: Promise<void>, resolve: () => void } | null} */
  #gate = null;
  #agent = new Agent({ keepAlive: true });
  #server = createServer(
    // Same limits as the web process: pushes take long, and long URLs receive its own 414.
    { requestTimeout: 0, maxHeaderSize: 128 * 1024, keepAliveTimeout: 75_000 },
    (request, response) => void this.#handle(request, response),
  );

  /** @param {{ styles: string }} files path of the compiled style sheet */
  constructor({ styles }) {
    this.styles = styles;
  }

  /**
   * @param {number} port
   * @param {string | undefined} host
   */
  async listen(port, host) {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
  }

  async close() {
    this.open();
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
  }

  /** Holds requests until `open`. */
  hold() {
    if (this.#gate) return;
    /** @type {() => void} */
    let resolve = () => undefined;
    /** @type {Promise<void>} */
    const promise = new Promise((done) => (resolve = done));
    this.#gate = { promise, resolve };
  }

  open() {
    this.#gate?.resolve();
    this.#gate = null;
  }

  /**
   * Makes open pages reload, or only their style sheets.
   * @param {'page' | 'styles'} kind
   */
  announce(kind) {
    const [start, count] = this.#versions[kind].split('-');
    this.#versions[kind] = `${start}-${Number(count) + 1}`;
    for (const response of this.#listeners) response.write(this.#message(kind));
  }

  /**
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   */
  async #handle(request, response) {
    const path = request.url ?? '/';
    if (path === EVENTS) return this.#listen(response);
    if (path === SCRIPT) {
      return sendFile(response, new URL('reload.js', import.meta.url), MEDIA_TYPES.js);
    }
    const startedAt = performance.now();
    response.once('close', () => {
      const [name = ''] = path.split('?', 1);
      const requestId = String(response.getHeader('x-request-id') ?? '');
      const { method = '' } = request;
      const ms = performance.now() - startedAt;
      printRequest({ method, path: name, status: response.statusCode, ms, requestId });
    });
    const asset = this.#assetOf(path);
    if (asset) return sendFile(response, asset.file, asset.mediaType);
    await this.#gate?.promise;
    if (this.target === 0) return this.#refuse(response);
    return this.#forward(request, response);
  }

  /** @param {string} path */
  #assetOf(path) {
    const [, name = '', extension = ''] = ASSET.exec(path) ?? [];
    if (name === '') return null;
    const file = name === 'app' && extension === 'css' ? this.styles : undefined;
    const found = file ?? join(ASSETS, `${name}.${extension}`);
    const mediaType = MEDIA_TYPES[/** @type {keyof typeof MEDIA_TYPES} */ (extension)];
    return existsSync(found) ? { file: found, mediaType } : null;
  }

  /** @param {ServerResponse} response */
  #listen(response) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write(this.#message('page') + this.#message('styles'));
    this.#listeners.add(response);
    response.once('close', () => this.#listeners.delete(response));
  }

  /** @param {'page' | 'styles'} kind */
  #message(kind) {
    return `event: ${kind}\ndata: ${this.#versions[kind]}\n\n`;
  }

  /** @param {ServerResponse} response */
  #refuse(response) {
    response.writeHead(503, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(
      `<head>${this.#script()}</head>The web process is not running. See the terminal for errors.`,
    );
  }

  #script() {
    const { page, styles } = this.#versions;
    return `<script src="${SCRIPT}" data-page="${page}" data-styles="${styles}" defer></script>`;
  }

  /**
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   */
  #forward(request, response) {
    const wantsPage = request.headers.accept?.includes('text/html') ?? false;
    const forwarded = sendRequest(
      {
        host: '127.0.0.1',
        port: this.target,
        agent: this.#agent,
        method: request.method,
        path: request.url,
        headers: wantsPage ? withoutEncoding(request.rawHeaders) : request.rawHeaders,
        setHost: false,
        maxHeaderSize: 64 * 1024,
      },
      (answer) => this.#answer(request, response, answer),
    );
    forwarded.once('error', (error) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { 'Content-Type': 'text/plain' }).end(`${error.message}\n`);
    });
    response.once('close', () => forwarded.destroy());
    request.pipe(forwarded);
  }

  /**
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   * @param {IncomingMessage} answer
   */
  #answer(request, response, answer) {
    for (const [name, values] of Object.entries(answer.headersDistinct)) {
      if (values) response.setHeader(name, values);
    }
    response.statusCode = answer.statusCode ?? 502;
    response.statusMessage = answer.statusMessage ?? '';
    answer.once('error', () => response.destroy());
    if (!isPage(request, answer)) {
      response.flushHeaders();
      answer.pipe(response);
      return;
    }
    void answer.toArray().then((chunks) => {
      const page = Buffer.concat(chunks).toString().replace('</head>', `${this.#script()}</head>`);
      response.removeHeader('Transfer-Encoding');
      response.setHeader('Content-Length', Buffer.byteLength(page));
      response.end(page);
    }, response.destroy.bind(response));
  }
}

/**
 * @param {IncomingMessage} request
 * @param {IncomingMessage} answer
 */
function isPage(request, { headers, statusCode = 0 }) {
  return (
    request.method !== 'HEAD' &&
    statusCode !== 304 &&
    statusCode !== 204 &&
    request.headers['hx-request'] === undefined &&
    headers['content-encoding'] === undefined &&
    (headers['content-type'] ?? '').startsWith('text/html') &&
    SCRIPT_ALLOWED.test(String(headers['content-security-policy']))
  );
}

/**
 * Requests uncompressed pages, so that the script can be injected.
 * @param {string[]} rawHeaders alternating names and values
 */
function withoutEncoding(rawHeaders) {
  return rawHeaders.filter((_, at) => !/^accept-encoding$/i.test(rawHeaders[at - (at % 2)] ?? ''));
}

/**
 * @param {ServerResponse} response
 * @param {string | URL} file
 * @param {string} mediaType
 */
function sendFile(response, file, mediaType) {
  response.setHeader('Content-Type', `${mediaType}; charset=utf-8`);
  response.setHeader('Cache-Control', 'no-store');
  response.end(readFileSync(file));
}
