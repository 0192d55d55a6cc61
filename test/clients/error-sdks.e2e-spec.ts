import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PAYLOAD_ENCODINGS, ErrorEvent } from '../../src/error-tracking/error-event.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeErrorProject, type ErrorProject } from './programs/error-project.js';
import { startPrograms, type ProgramRunner } from './programs/program-runner.js';

let app: OwnTestApp;
let programs: ProgramRunner;
beforeAll(async () => {
  [app, programs] = await Promise.all([startTestApp(), startPrograms()]);
});
afterAll(async () => {
  await programs.close();
  await app.close();
});

/** Import of the SDK by its version. */
const SDKS = {
  '10': `import * as Sentry from '@sentry/node';`,
  '7': `import * as Sentry from 'sentry-node-7';`,
};

const BUG = `
function priceOf(item) {
  return item.price.amount;
}
function checkout(item) {
  try {
    return priceOf(item);
  } catch (cause) {
    throw new Error('checkout of ' + process.pid + ' failed', { cause });
  }
}
`;

/** A program that fails in `checkout` and reports that with all that SDKs can tell. */
const reporting = (sdk: keyof typeof SDKS): string => `${SDKS[sdk]}
Sentry.init({
  dsn: process.env.DSN,
  release: 'shop@1.4.0',
  environment: 'staging',
  serverName: 'web-1',
});
Sentry.setUser({ id: 7, email: 'maria@example.com' });
Sentry.setTags({ shop: 'north', retries: 3 });
Sentry.setContext('cart', { items: 2 });
Sentry.setExtra('attempt', 2);
Sentry.addBreadcrumb({ category: 'cart', message: 'opened', level: 'info', data: { items: 2 } });
Sentry.getCurrentScope().addAttachment({ filename: 'cart.txt', data: 'two\\nlines\\n' });
${BUG}
let id;
try {
  checkout({});
} catch (error) {
  id = Sentry.captureException(error);
}
await Sentry.flush(5000);
console.log(JSON.stringify({ id }));
`;

async function onlyError(project: ErrorProject): Promise<Record<string, unknown>> {
  return eventually(async () => {
    const errors = await project.errors();
    expect(errors).toHaveLength(1);
    return errors[0] as Record<string, unknown>;
  });
}

describe.each(['10', '7'] as const)('version %s of the SDK for Node.js', (version) => {
  it('reports an error with its cause, its source and its surroundings', async () => {
    const project = await makeErrorProject(app);
    const { id } = await programs.result<{ id: string }>(reporting(version), project.dsn);
    expect(await onlyError(project)).toMatchObject({
      title: expect.stringMatching(/^Error: checkout of \d+ failed$/),
      culprit: expect.stringContaining('checkout'),
      platform: 'node',
      level: 'error',
      unhandled: false,
      count: 1,
      user_count: 1,
      first_release_version: 'shop@1.4.0',
      last_release_version: 'shop@1.4.0',
    });
    const event = await project.event(id);
    expect(event).toMatchObject({
      event_id: id,
      environment: 'staging',
      release: 'shop@1.4.0',
      server_name: 'web-1',
      sdk: { name: 'sentry.javascript.node', version: expect.stringMatching(`^${version}\\.`) },
      user_details: { id: '7', email: 'maria@example.com' },
      tags: expect.arrayContaining([
        { name: 'shop', value: 'north' },
        { name: 'retries', value: '3' },
      ]),
      contexts: { cart: { items: '2' }, runtime: { name: 'node', version: process.version } },
      extra: { attempt: '2' },
      breadcrumbs: expect.arrayContaining([
        expect.objectContaining({ category: 'cart', message: 'opened', data: { items: '2' } }),
      ]),
      truncated: false,
      damaged: false,
    });
    const [cause, thrown] = event.exceptions as Record<string, unknown>[];
    expect([cause?.type, thrown?.type]).toEqual(['TypeError', 'Error']);
    expect((cause?.frames as unknown[]).at(-1)).toMatchObject({
      function: 'priceOf',
      in_app: true,
      context: expect.arrayContaining([[expect.any(Number), '  return item.price.amount;']]),
    });
  });

  it('reports uncaught errors before its program ends', async () => {
    const project = await makeErrorProject(app);
    const program = `${SDKS[version]}
Sentry.init({ dsn: process.env.DSN });
${BUG}
setTimeout(() => checkout({}), 1);
`;
    const { code, stderr } = await programs.run(program, project.dsn);
    expect([code, stderr]).toEqual([1, expect.stringContaining('checkout of')]);
    expect(await onlyError(project)).toMatchObject({ unhandled: true, level: 'fatal', count: 1 });
  });

  it('makes one error of one bug, whatever ids its messages hold', async () => {
    const project = await makeErrorProject(app);
    const ids = new Set<string>();
    for (let run = 0; run < 3; run += 1) {
      ids.add((await programs.result<{ id: string }>(reporting(version), project.dsn)).id);
    }
    expect(ids.size).toBe(3);
    expect(await onlyError(project)).toMatchObject({ count: 3, user_count: 1 });
    const other = reporting(version).replace('checkout({});', 'null.price;');
    await programs.result(other, project.dsn);
    const errors = await project.errors();
    expect(errors.map(({ count, type }) => [type, count])).toEqual([
      ['Error', 3],
      ['TypeError', 1],
    ]);
  });

  it('sends large events compressed, which are kept as they came', async () => {
    const project = await makeErrorProject(app);
    const program = `${SDKS[version]}
Sentry.init({ dsn: process.env.DSN, normalizeDepth: 10 });
const id = Sentry.captureMessage('large', { extra: { text: 'Größe '.repeat(10_000) } });
await Sentry.flush(5000);
console.log(JSON.stringify({ id }));
`;
    const { id } = await programs.result<{ id: string }>(program, project.dsn);
    const event = await project.event(id);
    expect(event).toMatchObject({ message: 'large', truncated: true, exceptions: [] });
    const row = await app.dataSource.manager.findOneByOrFail(ErrorEvent, { eventId: id });
    expect(PAYLOAD_ENCODINGS[row.payloadEncoding]).toBe('gzip');
  });
});

describe('what the SDK sends beside errors', () => {
  it('is counted and does no harm: sessions, and reports of what it lost', async () => {
    const project = await makeErrorProject(app);
    const program = `${SDKS['10']}
Sentry.init({
  dsn: process.env.DSN,
  release: 'shop@1.4.0',
  beforeSend: (event) => (event.message === 'private' ? null : event),
});
Sentry.startSession();
Sentry.captureSession();
await Sentry.flush(5000);
Sentry.captureMessage('private');
Sentry.captureMessage('public');
Sentry.endSession();
await Sentry.flush(5000);
await Sentry.close(5000);
console.log(JSON.stringify({}));
`;
    await programs.result(program, project.dsn);
    expect(await onlyError(project)).toMatchObject({ title: 'public', count: 1 });
    await eventually(async () => {
      expect(await project.usage()).toMatchObject({
        'accepted error': 1,
        'dropped session not_supported': expect.any(Number),
        'lost_by_client error before_send': 1,
      });
    });
  });
});

describe('a program whose key was deleted', () => {
  it('goes on undisturbed, and nothing is kept of it', async () => {
    const project = await makeErrorProject(app);
    await project.deleteKey();
    const program = `${SDKS['10']}
Sentry.init({ dsn: process.env.DSN, defaultIntegrations: false });
const statuses = [];
Sentry.getClient().on('afterSendEvent', (_, { statusCode }) => statuses.push(statusCode));
Sentry.captureMessage('one');
await Sentry.flush(5000);
Sentry.captureMessage('two');
await Sentry.flush(5000);
console.log(JSON.stringify(statuses));
`;
    const statuses = await programs.result<(number | null)[]>(program, project.dsn);
    // The second one was not even sent.
    expect(statuses).toEqual([404, null]);
    expect(await project.errors()).toEqual([]);
  });
});
