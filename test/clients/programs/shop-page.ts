import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';

/** Where the SDK's modules find each other in a browser, by the names that they use. */
const MODULES = {
  '@sentry/browser': 'browser/build/npm/esm/prod/index.js',
  '@sentry/browser-utils': 'browser-utils/build/esm/index.js',
  '@sentry/conventions/attributes': 'conventions/dist/attributes.mjs',
  '@sentry/core': 'core/build/esm/index.js',
  '@sentry/core/browser': 'core/build/esm/browser.js',
  '@sentry/feedback': 'feedback/build/npm/esm/index.js',
  '@sentry/replay': 'replay/build/npm/esm/index.js',
  '@sentry/replay-canvas': 'replay-canvas/build/npm/esm/index.js',
};

/** A shop on an origin of its own, whose page uses the browser SDK as its modules are published. */
export interface Shop {
  /** The page that reports to the project with this DSN. */
  address(dsn: string): string;
  close(): Promise<void>;
}

const PAGE = `<!doctype html><title>Shop</title><button>Buy</button>
<script type="importmap">${JSON.stringify({
  imports: Object.fromEntries(
    Object.entries(MODULES).map(([name, file]) => [name, `/modules/${file}`]),
  ),
})}</script>
<script type="module" src="/shop.js"></script>`;

const SCRIPT = `import * as Sentry from '@sentry/browser';
Sentry.init({
  dsn: new URLSearchParams(location.search).get('dsn'),
  release: 'shop-page@1.4.0',
  sendDefaultPii: true,
});
Sentry.setUser({ email: 'maria@example.com' });
function priceOf(item) {
  return item.price.amount;
}
document.querySelector('button').addEventListener('click', () => {
  if (location.hash === '#message') {
    Sentry.captureMessage('sold out', 'warning');
    return;
  }
  priceOf({});
});
globalThis.Sentry = Sentry;
document.title = 'Open';
`;

/** Starts the shop; nothing of it comes from the server that takes the errors. */
export async function startShop(): Promise<Shop> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://shop');
    const send = (type: string, body: string | Buffer): void => {
      response.writeHead(200, { 'Content-Type': type }).end(body);
    };
    if (pathname === '/') return send('text/html', PAGE);
    if (pathname === '/shop.js') return send('text/javascript', SCRIPT);
    readFile(join(resolve('node_modules/@sentry'), pathname.replace('/modules/', ''))).then(
      (module) => send('text/javascript', module),
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    // Another host, too: `localhost` is no name of the server that takes the errors.
    address: (dsn) => `http://localhost:${port}/?dsn=${encodeURIComponent(dsn)}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
