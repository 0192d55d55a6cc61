import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PERSONAL_TOKEN_SCOPES } from '../../src/core/access/scopes.js';
import { makeWorld, type World } from '../access/world.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeToken } from '../support/factories.js';
import { ApiDescription, type DescribedOperation } from './api-description.js';
import { requestsFor, type Known, type RandomRequest } from './random-requests.js';
import { cases, FUZZ_TIMEOUT_MS, IS_FULL } from '../support/scale.js';

const PARALLEL = 8;
/** No answer may take longer; the sample shares its machine with other tests. */
const HANG_MS = IS_FULL ? 1_000 : 10_000;

/**
 * Requests that would destroy the world of the other requests: allowed only on what the fuzzer
 * created.
 */
const DESTRUCTIVE =
  /^(DELETE .*|POST .*\/(block|ban|deactivate|reject|rotate|archive|transfer)|PUT .*\/transfer)$/;

/** Needs requests to other servers, or ends the credential that the fuzzer itself uses. */
const LEFT_OUT = /^(PUT .*\/application\/settings|(POST|DELETE) .*\/self(\/.*)?)$/;

const description = new ApiDescription();
const operations = description.operations.filter(
  ({ method, path }) => !LEFT_OUT.test(`${method} ${path}`),
);

let app: OwnTestApp;
let world: World;
let tokens: (string | null)[];
const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });

beforeAll(async () => {
  app = await startTestApp();
  world = await makeWorld(app);
  const { developer, owner, admin } = world.users;
  tokens = [
    null,
    'svcpat-unknown',
    await makeToken(app, developer, { scopes: ['read_api'] }),
    await makeToken(app, developer),
    await makeToken(app, owner),
    await makeToken(app, admin, { scopes: [...PERSONAL_TOKEN_SCOPES] }),
    await makeToken(app, developer, { kind: 'oauth', scopes: ['api', 'openid', 'email'] }),
  ];
}, 120_000);
afterAll(async () => {
  agent.destroy();
  await app.close();
});

/** Rows of projects that only requests of the fuzzer make: the first ones, wherever they are. */
const OF_PROJECTS = new Set([
  'integration_id',
  'delivery_id',
  'environment_id',
  'milestone_id',
  'note_id',
  'event_id',
]);

const known: Known = (parameter, operation) => {
  if (DESTRUCTIVE.test(`${operation.method} ${operation.path}`)) return NEW_IDS;
  const places = Object.values(world.places);
  const users = [world.users.developer.id, world.users.stranger.id].map(String);
  if (parameter === 'user_id' || operation.path.includes('/users/{id}')) return users;
  if (parameter.endsWith('_iid')) return ['1', '2'];
  if (OF_PROJECTS.has(parameter)) return ['1', '2', '3'];
  if (parameter === 'snippet_id') return places.map(({ snippetId }) => String(snippetId));
  if (['ref', 'sha', 'branch', 'tag_name'].includes(parameter)) return ['main', 'HEAD'];
  if (parameter === 'file_path') return ['notes.txt', 'README.md'];
  if (parameter === 'name') return ['default', 'storage2'];
  if (operation.path.includes('/groups/{id}')) return places.map(({ groupId }) => String(groupId));
  if (operation.path.includes('/snippets/{id}')) {
    return places.map(({ snippetId }) => String(snippetId));
  }
  return places.flatMap(({ projectId, projectPath }) => [String(projectId), projectPath]);
};

/** Rows that the fuzzer's own requests make have ids from here on. */
const NEW_IDS = Array.from({ length: 40 }, (_, at) => String(30 + at));

interface Answer {
  status: number;
  type: string;
  body: string;
  milliseconds: number;
}

/** OAuth endpoints know no other way. */
function credentialsFor(path: string, token: string): Record<string, string> {
  return path.startsWith('/oauth/')
    ? { Authorization: `Bearer ${token}` }
    : { 'PRIVATE-TOKEN': token };
}

function send({ method, path, body, actor }: RandomRequest): Promise<Answer> {
  const token = tokens[actor];
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      `${app.url}${path}`,
      {
        method,
        agent,
        timeout: HANG_MS * 3,
        headers: {
          ...(token && credentialsFor(path, token)),
          ...(body && { 'Content-Type': body.type }),
          'Content-Length': Buffer.byteLength(body?.text ?? ''),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            body: Buffer.concat(chunks).toString('utf8'),
            milliseconds: performance.now() - startedAt,
          }),
        );
      },
    );
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', reject);
    request.end(body?.text ?? '');
  });
}

function complaint(operation: DescribedOperation, answer: Answer): string | null {
  if (answer.status >= 500) return `status ${answer.status}: ${answer.body}`;
  if (answer.milliseconds > HANG_MS) return `took ${Math.round(answer.milliseconds)} ms`;
  // Independent of its own route: the request may have left the route by an unusual path.
  if (answer.status === 404 && answer.body === '{"error":"404 Not Found"}') return null;
  if (answer.status === 405) return null;
  return description.complaint(operation, answer);
}

describe('any request to any operation', () => {
  it.each(operations.map((one) => [`${one.method} ${one.path}`, one] as const))(
    '%s is answered as the API description says',
    async (_, operation) => {
      const requests = cases({ sample: 12, full: Math.ceil(200_000 / operations.length) });
      const batch = fc.array(
        requestsFor(description, operation, { known, actors: tokens.length }),
        {
          minLength: PARALLEL,
          maxLength: PARALLEL,
        },
      );
      await fc.assert(
        fc.asyncProperty(batch, async (chosen) => {
          const complaints = await Promise.all(
            chosen.map(async (request) => {
              const problem = complaint(operation, await send(request));
              return problem === null ? null : { problem, path: request.path, body: request.body };
            }),
          );
          expect(complaints.filter((one) => one !== null)).toEqual([]);
        }),
        { numRuns: Math.ceil(requests / PARALLEL), endOnFailure: true },
      );
    },
    FUZZ_TIMEOUT_MS,
  );
});
