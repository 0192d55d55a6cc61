const SECOND_MS = 1_000;

interface SampleOptions {
  /** 32 lowercase hex. */
  eventId: string;
  now: Date;
  /** Name of the project. */
  projectName: string;
}

/**
 * An event as an SDK sends it, with a stack trace that can be read and something in every part of
 * its page. All of them are one error.
 */
export function sampleEvent({ eventId, now, projectName }: SampleOptions): object {
  return {
    event_id: eventId,
    timestamp: now.toISOString(),
    platform: 'node',
    level: 'error',
    logger: 'guildhall.test',
    environment: 'test',
    transaction: 'POST /checkout',
    exception: { values: [CAUSE, thrown(projectName)] },
    breadcrumbs: breadcrumbsBefore(now),
    request: {
      method: 'POST',
      url: 'https://shop.example.com/checkout',
      headers: { Accept: 'text/html', 'User-Agent': 'Guildhall' },
    },
    tags: { sample: 'yes' },
    contexts: { runtime: { name: 'node', version: '24.0.0' } },
    sdk: { name: 'guildhall.test', version: '1.0.0' },
  };
}

const CAUSE = {
  type: 'TimeoutError',
  value: 'No answer within 5000 ms',
  stacktrace: {
    frames: [
      {
        filename: 'src/payments/bank-client.js',
        module: 'payments/bank-client',
        function: 'BankClient.charge',
        lineno: 27,
        colno: 11,
        in_app: true,
        pre_context: ['  async charge(order) {', '    const answer = await this.post(order);'],
        context_line: `    if (answer === null) throw new TimeoutError('No answer within 5000 ms');`,
        post_context: ['    return answer.receipt;', '  }'],
      },
    ],
  },
};

/** The one that reached the last handler; frames from the outside in, as SDKs have them. */
function thrown(projectName: string): object {
  return {
    type: 'TestError',
    value: `A test event, sent from the settings of ${projectName}`,
    mechanism: { type: 'guildhall.test', handled: false },
    stacktrace: { frames: [HTTP_FRAME, ROUTE_FRAME, CHECKOUT_FRAME] },
  };
}

const HTTP_FRAME = {
  filename: 'node:_http_server',
  module: '_http_server',
  function: 'parserOnIncoming',
  lineno: 1153,
  colno: 12,
  in_app: false,
};

const ROUTE_FRAME = {
  filename: 'src/routes/checkout.js',
  module: 'routes/checkout',
  function: 'postCheckout',
  lineno: 14,
  colno: 24,
  in_app: true,
  pre_context: [
    'export async function postCheckout(request) {',
    '  const order = orderOf(request);',
  ],
  context_line: '  const receipt = await checkout(order);',
  post_context: ['  return receiptPage(receipt);', '}'],
};

const CHECKOUT_FRAME = {
  filename: 'src/orders/checkout.js',
  module: 'orders/checkout',
  function: 'checkout',
  lineno: 42,
  colno: 11,
  in_app: true,
  pre_context: ['    return await bank.charge(order);', '  } catch (cause) {'],
  context_line: `    throw new TestError('The order cannot be paid', { cause });`,
  post_context: ['  }', '}'],
  vars: { order: { number: 4711, items: 3, currency: 'EUR' }, attempts: 2 },
};

function breadcrumbsBefore(now: Date): object[] {
  const at = (seconds: number): string =>
    new Date(now.getTime() - seconds * SECOND_MS).toISOString();
  return [
    { timestamp: at(6), category: 'http', level: 'info', message: 'POST /checkout' },
    { timestamp: at(5), category: 'query', level: 'info', message: 'SELECT * FROM orders' },
    {
      timestamp: at(1),
      category: 'http',
      level: 'warning',
      message: 'No answer of the bank',
      data: { url: 'https://bank.example.com/charges', method: 'POST' },
    },
  ];
}
