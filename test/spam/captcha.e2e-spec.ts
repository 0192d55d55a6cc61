import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Writable } from 'node:stream';
import type { ServerResponse } from 'node:http';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import { startFormServer, type FormServer } from '../support/form-server.js';
import { changeSettings } from '../support/settings.js';
import { makeProject, type MadeProject } from '../support/project-factories.js';

const RIGHT = 'the right answer';
const SECRET = 'private-key-of-the-captcha';
const SPAM = Array.from({ length: 61 }, (_, n) => `Buy https://shop${n}.example/ now`).join('\n');

let app: OwnTestApp;
let place: MadeProject;
let provider: FormServer;
const lines: string[] = [];

interface Challenge {
  spam_log_id: number;
}

/** Speaks v2 of `siteverify` as the provider documents it. */
function siteverify(
  { fields }: { fields: Record<string, string> },
  response: ServerResponse,
): void {
  const codes = [];
  if (fields['secret'] !== SECRET) codes.push('invalid-input-secret');
  if (fields['response'] !== RIGHT) codes.push('invalid-input-response');
  const success = codes.length === 0;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(
    JSON.stringify(success ? { success, hostname: 'x' } : { success, 'error-codes': codes }),
  );
}

beforeAll(async () => {
  const logDestination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  provider = await startFormServer(siteverify);
  app = await startTestApp({ env: { LOG_LEVEL: 'warn' }, logDestination });
  const owner = await makeActor(app);
  place = await makeProject(app, { namespaceId: owner.user.namespaceId, visibility: 'public' });
});
afterAll(async () => {
  await app.close();
  await provider.close();
});

beforeEach(async () => {
  provider.answer = siteverify;
  provider.received.length = 0;
  lines.length = 0;
  await changeSettings(app, {
    recaptcha_enabled: true,
    recaptcha_site_key: 'public-key-of-the-captcha',
    recaptcha_private_key: SECRET,
    recaptcha_verify_url: `${provider.url}/recaptcha/api/siteverify`,
  });
});

type Kind = 'issue' | 'snippet';

interface Solution {
  id?: number | string;
  answer?: string;
  prefix?: 'X-Svc' | 'X-GitLab';
}

function send(actor: MadeActor, kind: Kind, solution: Solution = {}) {
  const { id, answer, prefix = 'X-Svc' } = solution;
  const text = { title: unique('Cheap '), description: SPAM };
  const file = { visibility: 'public', file_name: 'a', content: 'x' };
  const request =
    kind === 'issue'
      ? actor.api.post(`/projects/${place.id}/issues`, text)
      : actor.api.post('/snippets', { ...text, ...file });
  if (id !== undefined) request.set(`${prefix}-Spam-Log-Id`, String(id));
  if (answer !== undefined) request.set(`${prefix}-Captcha-Response`, answer);
  return request;
}

async function challenge(actor: MadeActor, kind: Kind = 'issue'): Promise<number> {
  const response = await send(actor, kind);
  expect(response.status).toBe(409);
  return (response.body as Challenge).spam_log_id;
}

async function isRedeemed(id: number): Promise<boolean> {
  const rows: { redeemed: boolean }[] = await app.dataSource.query(
    'SELECT redeemed_at IS NOT NULL AS redeemed FROM spam_logs WHERE id = $1',
    [id],
  );
  return rows[0]?.redeemed ?? false;
}

describe('spam with a CAPTCHA', () => {
  it.each<Kind>(['issue', 'snippet'])(
    'as %s is answered with 409 and the way out',
    async (kind) => {
      const response = await send(await makeActor(app), kind);

      expect(response.status).toBe(409);
      const { spam_log_id: id } = response.body as Challenge;
      expect(Number.isSafeInteger(id)).toBe(true);
      expect(response.body).toEqual({
        needs_captcha_response: true,
        spam_log_id: id,
        captcha_site_key: 'public-key-of-the-captcha',
        message: {
          error: `Your ${kind} has been recognized as spam. Please, change the content or solve the reCAPTCHA to proceed.`,
        },
      });
      expect(provider.received).toEqual([]);
    },
  );

  it.each<[Kind, Solution['prefix']]>([
    ['issue', 'X-Svc'],
    ['snippet', 'X-GitLab'],
  ])('as %s is taken with a solution in the headers of %s', async (kind, prefix) => {
    const actor = await makeActor(app);
    const id = await challenge(actor, kind);
    const response = await send(actor, kind, { id, answer: RIGHT, prefix });

    expect(response.status).toBe(201);
    expect(provider.received).toEqual([
      {
        path: 'POST /recaptcha/api/siteverify',
        contentType: 'application/x-www-form-urlencoded;charset=UTF-8',
        fields: { secret: SECRET, response: RIGHT, remoteip: '127.0.0.1' },
      },
    ]);
    expect(await isRedeemed(id)).toBe(true);
  });

  it('is taken for a change, too', async () => {
    const actor = await makeActor(app);
    const created = await actor.api.post(`/projects/${place.id}/issues`, { title: 'Honest' });
    const path = `/projects/${place.id}/issues/${(created.body as { iid: number }).iid}`;
    const refused = await actor.api.put(path, { description: SPAM });
    const { spam_log_id: id } = refused.body as Challenge;
    const response = await actor.api
      .put(path, { description: SPAM })
      .set('X-Svc-Spam-Log-Id', String(id))
      .set('X-Svc-Captcha-Response', RIGHT);

    expect([refused.status, response.status]).toEqual([409, 200]);
  });

  it('with a wrong answer is 409 again, with a log that can still be redeemed', async () => {
    const actor = await makeActor(app);
    const id = await challenge(actor);
    const wrong = await send(actor, 'issue', { id, answer: 'wrong' });

    expect(wrong.status).toBe(409);
    const { spam_log_id: fresh } = wrong.body as Challenge;
    expect(fresh).not.toBe(id);
    expect((await send(actor, 'issue', { id: fresh, answer: RIGHT })).status).toBe(201);
    expect((await send(actor, 'issue', { id, answer: RIGHT })).status).toBe(201);
  });

  it.each<[string, Solution]>([
    ['without a log', { answer: RIGHT }],
    ['without an answer', { id: 1 }],
    ['with a word for a log', { id: 'x', answer: RIGHT }],
    ['with an unknown log', { id: 2 ** 40, answer: RIGHT }],
    ['with a log beyond all numbers', { id: '9'.repeat(30), answer: RIGHT }],
  ])('%s is 409, without a call of the provider', async (_, solution) => {
    expect((await send(await makeActor(app), 'issue', solution)).status).toBe(409);
    expect(provider.received).toEqual([]);
  });

  it('is 409 with a log that is used up, of another user, of another kind, or too old', async () => {
    const [actor, other] = [await makeActor(app), await makeActor(app)];
    const [spent, foreign, kind, old] = [
      await challenge(actor),
      await challenge(other),
      await challenge(actor, 'snippet'),
      await challenge(actor),
    ];
    await send(actor, 'issue', { id: spent, answer: RIGHT }).expect(201);
    await app.dataSource.query(
      `UPDATE spam_logs SET created_at = now() - interval '16 minutes' WHERE id = $1`,
      [old],
    );
    provider.received.length = 0;

    for (const id of [spent, foreign, kind, old]) {
      expect((await send(actor, 'issue', { id, answer: RIGHT })).status).toBe(409);
    }
    expect(provider.received).toEqual([]);
    expect(await Promise.all([foreign, kind, old].map(isRedeemed))).toEqual([false, false, false]);
  });

  it('passes once when a solution is replayed by 32 at a time', async () => {
    const actor = await makeActor(app);
    const id = await challenge(actor);
    const replays = Array.from({ length: 32 }, () => send(actor, 'issue', { id, answer: RIGHT }));
    const statuses = (await Promise.all(replays)).map(({ status }) => status);

    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(31);
    const made = await actor.api.get('/issues');
    expect(made.headers['x-total']).toBe('1');
  });

  it('does not spend a solution on a request that is refused for another reason', async () => {
    const actor = await makeActor(app);
    const id = await challenge(actor);
    const refused = await actor.api
      .post(`/projects/${place.id}/issues`, { title: 'x'.repeat(256), description: SPAM })
      .set('X-Svc-Spam-Log-Id', String(id))
      .set('X-Svc-Captcha-Response', RIGHT);

    expect(refused.status).toBe(400);
    expect(await isRedeemed(id)).toBe(false);
  });

  it('is discarded as long as the CAPTCHA lacks a key', async () => {
    await changeSettings(app, { recaptcha_private_key: '' });

    expect((await send(await makeActor(app), 'issue')).status).toBe(400);
  });
});

describe('a provider that does not help', () => {
  it.each<[string, FormServer['answer']]>([
    ['answers 500', (_, response) => void response.writeHead(500).end()],
    ['answers no JSON', (_, response) => void response.end('<html>')],
    ['answers another JSON', (_, response) => void response.end('[]')],
    ['cuts the connection', (_, response) => void response.destroy()],
    ['redirects', (_, response) => void response.writeHead(307, { Location: '/' }).end()],
    ['does not end', (_, response) => void response.write(' '.repeat(70_000))],
    ['never answers', () => undefined],
    [
      'does not know our key',
      (_, response) =>
        void response.end('{"success":false,"error-codes":["invalid-input-secret"]}'),
    ],
  ])('because it %s lets people work, once each, and the log tells', async (_, answer) => {
    const actor = await makeActor(app);
    const id = await challenge(actor);
    provider.answer = answer;

    expect((await send(actor, 'issue', { id, answer: 'anything' })).status).toBe(201);
    expect((await send(actor, 'issue', { id, answer: 'anything' })).status).toBe(409);
    expect(provider.received).toHaveLength(1);
    expect(lines.join('')).toContain('solved without proof');
    expect(lines.join('')).not.toContain(SECRET);
  });

  it.each([
    ['markup', '<script>alert(1)</script>'],
    ['quotes', `' OR 1=1`],
    ['8193 characters', 'x'.repeat(8_193)],
  ])('because %s can be no answer is not asked', async (_, answer) => {
    const actor = await makeActor(app);
    const id = await challenge(actor);
    provider.answer = (_form, response) => void response.writeHead(403).end();

    expect((await send(actor, 'issue', { id, answer })).status).toBe(409);
    expect(provider.received).toEqual([]);
  });

  it('because it is away lets people work', async () => {
    const actor = await makeActor(app);
    const id = await challenge(actor);
    const gone = await startFormServer(siteverify);
    await gone.close();
    await changeSettings(app, { recaptcha_verify_url: gone.url });

    expect((await send(actor, 'issue', { id, answer: 'anything' })).status).toBe(201);
    expect(lines.join('')).toContain('solved without proof');
  });
});
