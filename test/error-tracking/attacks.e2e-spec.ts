import { randomBytes } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { durationOf, effortOfAnswer } from '../support/effort.js';
import { eventually } from '../support/eventually.js';
import { makeMemberOf } from '../support/project-factories.js';
import { cases, FUZZ_TIMEOUT_MS } from '../support/scale.js';
import { startSecondProcess } from '../support/second-process.js';
import { openCollector, type OpenCollector } from './collector-place.js';

let app: OwnTestApp;
let other: NestExpressApplication;
let urls: [string, string];
beforeAll(async () => {
  app = await startTestApp();
  other = await startSecondProcess(app);
  urls = [app.url, await other.getUrl()];
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const newId = (): string => randomBytes(16).toString('hex');

function envelope(event: object | string, eventId = newId()): string {
  const json = typeof event === 'string' ? event : JSON.stringify(event);
  return `{"event_id":"${eventId}"}\n{"type":"event"}\n${json}`;
}

/** An event of the error `name`, whose stack has a call of a library that differs. */
function failure(name: string, library = 'lib'): object {
  const frames = [
    { function: library, module: 'library', in_app: false },
    { function: name, module: 'shop', in_app: true },
  ];
  return { exception: [{ type: 'Storm', value: name, stacktrace: { frames } }] };
}

let turn = 0;

/** Sends to the two processes in turn; answers the status. */
async function sendToEither({ base, key }: OpenCollector, body: string): Promise<number> {
  turn += 1;
  const address = base.replace(urls[0], urls[turn % 2] as string);
  const response = await fetch(`${address}/envelope/?sentry_key=${key}`, { method: 'POST', body });
  await response.arrayBuffer();
  return response.status;
}

interface Sums {
  errors: number;
  events: number;
  hours: number;
  accepted: number;
}

async function sumsOf({ project }: OpenCollector): Promise<Sums> {
  const rows = await app.dataSource.query<Sums[]>(
    `SELECT count(*)::int AS errors, coalesce(sum(events_count), 0)::int AS events,
       coalesce(sum((SELECT sum(events_count) FROM error_trends WHERE error_id = e.id)), 0)::int
         AS hours,
       (SELECT coalesce(sum(quantity), 0)::int FROM error_outcomes
        WHERE project_id = $1 AND outcome = 0) AS accepted
     FROM errors e WHERE project_id = $1`,
    [project.id],
  );
  return rows[0] as Sums;
}

const distinct = (statuses: number[]): number[] => [...new Set(statuses)];

describe('programs that report to two processes at once', () => {
  it(
    'make one error of what is new to both',
    async () => {
      const place = await openCollector(app);
      const rounds = cases({ sample: 30, full: 2_000 });
      for (let round = 0; round < rounds; round += 1) {
        const bodies = Array.from({ length: 8 }, (_, at) =>
          envelope(failure(`new_${round}_failure`, `lib_${at}`)),
        );
        const statuses = await Promise.all(bodies.map((body) => sendToEither(place, body)));
        expect(distinct(statuses)).toEqual([200]);
      }
      const events = rounds * 8;
      expect(await sumsOf(place)).toEqual({
        errors: rounds,
        events,
        hours: events,
        accepted: events,
      });
    },
    FUZZ_TIMEOUT_MS,
  );

  it('count an event once, however often it comes at the same time', async () => {
    const place = await openCollector(app);
    const bodies = Array.from({ length: 5 }, () => envelope(failure('twice')));
    const sent = bodies.flatMap((body) => Array<string>(10).fill(body));
    const statuses = await Promise.all(sent.map((body) => sendToEither(place, body)));
    expect(distinct(statuses)).toEqual([200]);
    expect(await sumsOf(place)).toEqual({ errors: 1, events: 5, hours: 5, accepted: 5 });
    expect(await place.events()).toHaveLength(5);
  });

  it('lose no count while errors are resolved, given issues and deleted', async () => {
    const place = await openCollector(app);
    const { api } = await makeMemberOf(app, place.project, 'maintainer');
    const path = `/projects/${place.project.id}/error_tracking/errors`;
    const names = Array.from({ length: 10 }, (_, at) => `hot_${'x'.repeat(at + 1)}`);
    let sent = 0;
    let isOver = false;
    const storms = Array.from({ length: 6 }, async (_, side) => {
      while (!isOver) {
        const order = side % 2 === 0 ? names : names.toReversed();
        const bodies = order.map((name) => envelope(failure(name)));
        const statuses = await Promise.all(bodies.map((body) => sendToEither(place, body)));
        expect(distinct(statuses)).toEqual([200]);
        sent += bodies.length;
      }
    });
    const answers: number[] = [];
    for (let round = 0; round < cases({ sample: 10, full: 300 }); round += 1) {
      const ids = (await place.errors()).map(({ id }) => id);
      const [first = 0, second = 0, third = 0] = ids;
      const changes = await Promise.all([
        api.put(path, { error_ids: ids.slice(0, 100), status: 'resolved' }),
        api.put(path, { error_ids: ids.slice(0, 100).toReversed(), status: 'unresolved' }),
        api.post(`${path}/${first}/issue`, {}),
        api.delete(`${path}/${second}/issue`),
        app.dataSource.query('DELETE FROM errors WHERE id = $1', [third]),
      ]);
      answers.push(...changes.slice(0, 4).map((answer) => (answer as { status: number }).status));
    }
    isOver = true;
    await Promise.all(storms);
    expect(answers.filter((status) => status >= 500)).toEqual([]);
    const { events, hours, accepted } = await sumsOf(place);
    expect([accepted, hours]).toEqual([sent, events]);
  });

  it('find it closed as soon as it is to be deleted, and leave nothing behind', async () => {
    const place = await openCollector(app);
    const values = [place.project.id];
    const storms = Array.from({ length: 6 }, async (_, side) => {
      const statuses: number[] = [];
      while (statuses.length < 10 || statuses.at(-1) === 200) {
        statuses.push(await sendToEither(place, envelope(failure(`gone_${'x'.repeat(side + 1)}`))));
      }
      return statuses;
    });
    await eventually(async () => expect((await sumsOf(place)).accepted).toBeGreaterThan(30));
    const duration = await durationOf(async () => {
      await app.dataSource.query('UPDATE projects SET pending_delete = true WHERE id = $1', values);
      await Promise.all(storms);
    });
    expect(duration).toBeLessThan(40);
    expect(distinct((await Promise.all(storms)).flat())).toEqual([200, 404]);
    await app.dataSource.query('DELETE FROM projects WHERE id = $1', values);
    expect(await sumsOf(place)).toEqual({ errors: 0, events: 0, hours: 0, accepted: 0 });
    expect(await place.events()).toEqual([]);
  });
});

describe('an event that is made to do harm', () => {
  it('is refused when it is nested so deeply that it cannot be written again', async () => {
    const settings = { scrubData: false, scrubIpAddresses: true };
    const place = await openCollector(app, { settings });
    const depth = 60_000;
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const address = '"user":{"ip_address":"192.0.2.1"}';
    expect(await place.answer(envelope(`{"extra":{"a":${deep}},${address}}`))).toMatchObject({
      status: 400,
      body: { message: '400 Bad request - the event is nested too deeply' },
    });
    expect(await place.answer(envelope(`{"extra":{"a":${deep}}}`))).toMatchObject({ status: 200 });
  });

  it('keeps no cookies, wherever a program puts them', async () => {
    const place = await openCollector(app);
    const event = {
      message: 'm',
      request: { env: { HTTP_COOKIE: 'sid=hidden' } },
      breadcrumbs: [{ data: { headers: { Cookie: 'sid=hidden', 'Set-Cookie': ['a=hidden'] } } }],
      contexts: { trace: { data: { 'http.request.header.cookie': 'sid=hidden' } } },
      extra: { cookies: { sid: 'hidden' }, cookie_consent: 'given' },
    };
    expect((await place.send(envelope(event))).status).toBe(200);
    const [{ sent } = { sent: null }] = await place.events();
    expect(JSON.stringify(sent)).not.toContain('hidden');
    expect(sent).toMatchObject({ extra: { cookies: '[Filtered]', cookie_consent: 'given' } });
  });

  it('takes little time for every kind of long text', async () => {
    const place = await openCollector(app);
    const parts = ['4 ', '4444 ', ';', 'a=&', '?', 'token="', '://a@', '1.', '\\"'];
    for (const part of parts) {
      const text = part.repeat(Math.floor(300_000 / part.length));
      const event = { message: `token ${text.slice(0, 100_000)}`, request: { cookies: text } };
      const effort = await effortOfAnswer(async () => {
        expect((await place.send(envelope(event))).status).toBe(200);
      });
      expect(effort).toBeLessThan(10);
    }
  });
});
