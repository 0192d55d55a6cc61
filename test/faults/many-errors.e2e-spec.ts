import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { makeErrorPlace, type ErrorPlace } from './support/error-place.js';
import { scaled } from './support/scale.js';
import { FaultStack } from './support/stack.js';

const EVENTS = scaled(1_000_000);
const ERRORS = 1_000;
const PEOPLE = 50;
/** Every hundredth event is sent a second time. */
const TWICE = 100;
const CONNECTIONS = 400;
const TIME_MS = 1_200_000;

let stack: FaultStack;
beforeAll(async () => {
  stack = await FaultStack.start();
}, 240_000);
afterAll(() => stack.stop());

/** Returns the requests of all events, one after the other: `null` at the end. */
function requestsOf({ url }: ErrorPlace): () => string | null {
  const { host, pathname, search } = new URL(url);
  const head = `POST ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: `;
  let [number, isRepeated] = [0, false];
  return () => {
    if (number % TWICE === 1 && !isRepeated) isRepeated = true;
    else {
      isRepeated = false;
      number += 1;
    }
    if (number > EVENTS) return null;
    const body = envelopeOf(number - 1);
    return `${head}${Buffer.byteLength(body)}\r\n\r\n${body}`;
  };
}

function envelopeOf(number: number): string {
  // An id of zeros alone is none.
  const eventId = (number + 1).toString(16).padStart(32, '0');
  const event = {
    platform: 'node',
    user: { id: String(Math.floor(number / ERRORS) % PEOPLE) },
    exception: { values: [{ type: `Error${number % ERRORS}`, value: `order ${number}` }] },
  };
  return `{"event_id":"${eventId}"}\n{"type":"event"}\n${JSON.stringify(event)}`;
}

/** Sends on one connection, one after the other; answers how many were answered with 200. */
async function sendOn(url: string, next: () => string | null): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let count = 0;
  for (let request = next(); request !== null; request = next()) {
    socket.write(request);
    expect((await answerOf(socket)).slice(0, 12)).toBe('HTTP/1.1 200');
    count += 1;
  }
  socket.end();
  return count;
}

/** Answers are short: they come in one piece. */
async function answerOf(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString('latin1');
}

interface Counted {
  type: string;
  events: number;
  users: number;
  trend: number;
  knownUsers: number;
}

const COUNTED_SQL = `
  SELECT type, events_count AS events, users_count AS users,
    (SELECT sum(events_count)::int FROM error_trends WHERE error_id = e.id) AS trend,
    (SELECT count(*)::int FROM error_users WHERE error_id = e.id) AS "knownUsers"
  FROM errors e WHERE project_id = $1`;

const ACCEPTED_SQL = `
  SELECT sum(quantity)::int AS accepted FROM error_outcomes WHERE project_id = $1 AND outcome = 0`;

it(
  `counts ${EVENTS} events of ${ERRORS} errors exactly, however many come twice`,
  async () => {
    const place = await makeErrorPlace(stack, await stack.makeAdmin());
    const next = requestsOf(place);
    const startedAt = Date.now();
    const counts = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => sendOn(place.url, next)),
    );
    const seconds = (Date.now() - startedAt) / 1_000;
    const sent = counts.reduce((sum, count) => sum + count, 0);
    expect(sent).toBe(EVENTS + Math.floor((EVENTS - 1) / TWICE) + 1);
    console.log(`${sent} events in ${seconds.toFixed(0)} s: ${(sent / seconds).toFixed(0)}/s`);

    const errors = await stack.rows<Counted>(COUNTED_SQL, [place.projectId]);
    const expected = Array.from({ length: ERRORS }, (_, at) => {
      const events = Math.floor((EVENTS - 1 - at) / ERRORS) + 1;
      const users = Math.min(events, PEOPLE);
      return { type: `Error${at}`, events, users, trend: events, knownUsers: users };
    });
    const numberOf = ({ type }: { type: string }): number => Number(type.slice('Error'.length));
    expect(errors.toSorted((one, other) => numberOf(one) - numberOf(other))).toEqual(expected);
    expect(await stack.rows(ACCEPTED_SQL, [place.projectId])).toEqual([{ accepted: EVENTS }]);
  },
  TIME_MS,
);
