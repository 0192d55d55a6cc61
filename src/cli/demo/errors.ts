/** An error of the demo team's programs. */
export interface DemoError {
  type: string;
  value: string;
  /** `function file:line` from the inside out; files of libraries are below node_modules. */
  frames: readonly string[];
  /** The line that failed, with the lines around it. */
  code: readonly [before: string[], line: string, after: string[]];
  transaction: string;
  /** Events per day, today first. */
  perDay: readonly number[];
  users: number;
  level?: 'error' | 'warning' | 'fatal';
  status?: 'resolved' | 'ignored';
  handled?: boolean;
}

const FASTIFY = [
  'preHandlerCallback node_modules/fastify/lib/handleRequest.js:140',
  'Object.onRequest node_modules/fastify/lib/route.js:512',
];

export const ERRORS: readonly DemoError[] = [
  {
    type: 'TypeError',
    value: "Cannot read properties of undefined (reading 'amount')",
    frames: [
      'applyDiscount src/cart/totals.ts:8',
      'updateTotals src/cart/cart.ts:24',
      'POST /cart/:id/discounts src/routes/cart.ts:39',
      ...FASTIFY,
    ],
    code: [
      [
        'export function applyDiscount(total: number, code: string): number {',
        '  const rule = findRule(code);',
      ],
      '  return total - total * rule.amount / 100;',
      ['}', ''],
    ],
    transaction: 'POST /cart/:id/discounts',
    perDay: [61, 34, 18, 12, 9, 4, 3],
    users: 48,
  },
  {
    type: 'GatewayError',
    value: 'gateway answered 504',
    frames: [
      'authorize src/payments/gateway.ts:24',
      'withRetry src/payments/retry.ts:7',
      'placeOrder src/payments/orders.ts:17',
      ...FASTIFY,
    ],
    code: [
      ['    signal: AbortSignal.timeout(TIMEOUT_MS),', '  });'],
      '  if (response.status >= 500) throw new GatewayError(`gateway answered ${response.status}`, true);',
      ['  if (!response.ok) throw new GatewayError(await response.text(), false);'],
    ],
    transaction: 'POST /orders',
    perDay: [27, 11, 14, 31, 8, 6, 9, 12, 7, 5],
    users: 39,
  },
  {
    type: 'DatabaseError',
    value: 'sorry, too many clients already',
    frames: ['findCart src/cart/cart.ts:14', 'GET /cart/:id src/routes/cart.ts:7', ...FASTIFY],
    code: [
      ['export async function findCart(id: string): Promise<Cart | null> {'],
      '  const { rows } = await database.query<Cart>(',
      ['    CART_BY_ID,', '    [id],'],
    ],
    transaction: 'GET /cart/:id',
    perDay: [44, 2],
    users: 31,
    level: 'fatal',
  },
  {
    type: 'RangeError',
    value: 'Invalid currency code : undefined',
    frames: [
      'confirmationText src/email/confirmation.ts:9',
      'sendConfirmation src/email/send.ts:18',
    ],
    code: [
      [
        'export function confirmationText({ orderId, name, amount, currency }: Confirmation): string {',
      ],
      "  const price = new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount / 100);",
      ['  return ['],
    ],
    transaction: 'confirmation email',
    perDay: [6, 4, 7, 3, 5, 4, 2, 3],
    users: 21,
  },
  {
    type: 'Error',
    value: 'unknown product mug-blue-v2',
    frames: [
      'priceOf src/cart/prices.ts:15',
      'POST /cart/:id/lines src/routes/cart.ts:18',
      ...FASTIFY,
    ],
    code: [
      ['  const price = rows[0]?.price;'],
      '  if (price === undefined) throw new Error(`unknown product ${sku}`);',
      ['  cache.set(sku, { price, until: Date.now() + TTL_MS });'],
    ],
    transaction: 'POST /cart/:id/lines',
    perDay: [0, 3, 2, 8, 5, 1],
    users: 12,
    level: 'warning',
    status: 'ignored',
    handled: true,
  },
  {
    type: 'SyntaxError',
    value: 'Unexpected end of JSON input',
    frames: ['parseCart src/cart/parse.ts:11', 'GET /cart/:id src/routes/cart.ts:9', ...FASTIFY],
    code: [
      ['function parseCart(text: string): Cart {'],
      '  return JSON.parse(text) as Cart;',
      ['}'],
    ],
    transaction: 'GET /cart/:id',
    perDay: [0, 0, 0, 0, 0, 7, 19, 22, 9],
    users: 25,
    status: 'resolved',
  },
  {
    type: 'TimeoutError',
    value: 'The operation was aborted due to timeout',
    frames: [
      'authorize src/payments/gateway.ts:18',
      'placeOrder src/payments/orders.ts:17',
      ...FASTIFY,
    ],
    code: [
      ["    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': orderId },"],
      '    signal: AbortSignal.timeout(TIMEOUT_MS),',
      ['  });'],
    ],
    transaction: 'POST /orders',
    perDay: [9, 5, 3, 2, 2, 1, 0, 2],
    users: 17,
  },
];

const BROWSERS = ['Firefox 151', 'Chrome 150', 'Safari 20', 'Chrome 150', 'Firefox 151'];
const SYSTEMS = ['Windows 11', 'macOS 26', 'iOS 20', 'Android 17', 'Windows 11'];

/** The event of an SDK for the n-th occurrence of an error. */
export function errorEvent(error: DemoError, { at, n }: { at: Date; n: number }): object {
  const seconds = at.getTime() / 1000;
  const user = n % error.users;
  const before = (ago: number): number => seconds - ago;
  return {
    timestamp: seconds,
    platform: 'node',
    level: error.level ?? 'error',
    environment: n % 31 === 7 ? 'staging' : 'production',
    release: n % 4 === 3 ? 'checkout@1.3.0' : 'checkout@1.4.0',
    server_name: `web-${(n % 4) + 1}`,
    transaction: error.transaction,
    user: { id: String(7000 + user * 13), username: `customer-${7000 + user * 13}` },
    tags: {
      browser: BROWSERS[user % 5],
      os: SYSTEMS[(user + n) % 5],
      customer: user % 3 ? 'returning' : 'new',
    },
    contexts: { runtime: { name: 'node', version: 'v24.4.0' } },
    request: {
      method: error.transaction.split(' ')[0],
      url: `https://shop.acme.example/cart/${1000 + user}`,
    },
    breadcrumbs: {
      values: [
        {
          timestamp: before(3.2),
          category: 'navigation',
          message: `/products/${(n % 40) + 1} → /cart`,
        },
        {
          timestamp: before(3.1),
          category: 'http',
          type: 'http',
          data: { method: 'GET', url: '/cart', status_code: 200 },
        },
        {
          timestamp: before(0.9),
          category: 'query',
          message: 'price of mug-blue',
        },
        { timestamp: before(0.4), category: 'ui.click', message: 'button#apply-code' },
        {
          timestamp: before(0.2),
          category: 'http',
          type: 'http',
          level: 'error',
          data: { method: 'POST', url: '/cart/discounts', status_code: 500 },
        },
      ],
    },
    exception: {
      values: [
        {
          type: error.type,
          value: error.value,
          mechanism: { type: 'auto.function.fastify', handled: error.handled ?? false },
          stacktrace: { frames: framesOf(error).reverse() },
        },
      ],
    },
  };
}

function framesOf({ frames, code: [before, line, after] }: DemoError): object[] {
  return frames.map((frame, at) => {
    const [, name = '', file = '', lineNumber = ''] = /^(.*) (\S+):(\d+)$/.exec(frame) ?? [];
    return {
      function: name,
      filename: file,
      module: file.replace(/^src\/|\.[jt]s$/g, ''),
      lineno: Number(lineNumber),
      colno: 27,
      in_app: !file.startsWith('node_modules'),
      ...(at === 0 && { pre_context: before, context_line: line, post_context: after }),
    };
  });
}
