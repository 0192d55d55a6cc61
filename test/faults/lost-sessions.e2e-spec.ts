import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { makePerson, newBrowser, PASSWORD, signIn } from '../support/sign-in.js';
import { isAlive, PasswordChanger } from './support/password-changer.js';
import { FaultStack } from './support/stack.js';
import { killInTheMiddle, Repeater } from './support/storm.js';

const PEOPLE = 6;
const KILLS = 5;
const BETWEEN = 15;
const OUTAGE_MS = 2_000;
/** Longer than connecting to the database may take. */
const HANG_MS = 12_000;

let stack: FaultStack;
beforeAll(async () => {
  stack = await FaultStack.start();
}, 240_000);
afterAll(() => stack.stop());

describe(`a web process killed ${KILLS} times while people sign in and change passwords`, () => {
  let people: PasswordChanger[];
  beforeAll(async () => {
    people = [];
    for (let count = 0; count < PEOPLE; count += 1) {
      people.push(new PasswordChanger(stack, await makePerson(stack)));
    }
    const kill = async (): Promise<void> => {
      await stack.killWeb();
      await stack.restartWeb();
    };
    await killInTheMiddle(people, { kill, kills: KILLS, between: BETWEEN });
  }, 200_000);

  it('makes each change wholly or not at all', () => {
    const sum = (of: (one: PasswordChanger) => number): number =>
      people.reduce((total, one) => total + of(one), 0);
    const changes = sum((one) => one.changes);
    const [made, notMade] = [sum((one) => one.inDoubt.made), sum((one) => one.inDoubt.notMade)];
    console.log(`${KILLS} kills: ${sum((one) => one.acknowledged)} sign-ins, ${changes} changes;`);
    console.log(`of the changes cut off ${made} were made and ${notMade} were not, none by half`);
    expect(people.flatMap(({ oddities }) => oddities)).toEqual([]);
    expect(changes).toBeGreaterThan(KILLS);
  });

  it('keeps the sessions that it has acknowledged', async () => {
    for (const cookie of people.flatMap(({ living }) => living)) {
      expect(await isAlive(stack, cookie)).toBe(true);
    }
  });

  it('has ended every session of before an acknowledged change', async () => {
    for (const cookie of people.flatMap(({ ended }) => ended.slice(-20))) {
      expect(await isAlive(stack, cookie)).toBe(false);
    }
  });

  it('tells of each change by one mail and one line of the trail', async () => {
    for (const { user, changes } of people) {
      const [told] = await stack.rows(
        `SELECT
           (SELECT count(*)::int FROM outgoing_mails
            WHERE recipient = $2 AND kind = 'password_changed') AS mails,
           (SELECT count(*)::int FROM audit_events
            WHERE target_id = $1 AND action = 'user_updated') AS lines`,
        [user.id, user.email],
      );
      expect(told).toEqual({ mails: changes, lines: changes });
    }
  });
});

/** Signs in again and again and notes what came of it. */
class Visitor extends Repeater {
  readonly seen: { status: number; retryAfter: string | undefined; ms: number }[] = [];

  constructor(private readonly username: string) {
    super();
  }

  protected async round(): Promise<void> {
    const begun = performance.now();
    const { status, headers } = await signIn(stack, this.username);
    const retryAfter = headers['retry-after'] as string | undefined;
    this.seen.push({ status, retryAfter, ms: performance.now() - begun });
    if (status === 303) this.acknowledged += 1;
  }
}

describe('a database that is lost while people sign in', () => {
  it(`is 503 immediately, and over when it is back, after ${OUTAGE_MS} ms`, async () => {
    const visitors: Visitor[] = [];
    for (let count = 0; count < PEOPLE; count += 1) {
      visitors.push(new Visitor((await makePerson(stack)).username));
    }
    for (const visitor of visitors) visitor.start();
    await eventually(() => visitors.every(({ acknowledged }) => acknowledged > 0));
    await stack.servers.kill('database');
    await delay(OUTAGE_MS);
    await stack.servers.restart('database');
    const before = new Map(visitors.map((visitor) => [visitor, visitor.acknowledged]));
    await eventually(
      () => visitors.every((visitor) => visitor.acknowledged > (before.get(visitor) ?? 0)),
      { seconds: 30 },
    );
    await Promise.all(visitors.map((visitor) => visitor.stop()));
    const seen = visitors.flatMap((visitor) => visitor.seen);
    const refused = seen.filter(({ status }) => status === 503);
    const slowest = Math.max(...seen.map(({ ms }) => ms));
    console.log(`${refused.length} of ${seen.length} sign-ins refused, slowest ${slowest} ms`);
    expect([...new Set(seen.map(({ status }) => status))].toSorted()).toEqual([303, 503]);
    for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(slowest).toBeLessThan(HANG_MS);
  });

  it('signs no one in, and shows a page with the reason', async () => {
    const { username } = await makePerson(stack);
    await stack.servers.kill('database');
    const refused = await newBrowser(stack).post('/users/sign_in', {
      'user[login]': username,
      'user[password]': PASSWORD,
    });
    await stack.servers.restart('database');
    expect(refused.status).toBe(503);
    expect(refused.headers['content-type']).toContain('text/html');
    expect(refused.get('Set-Cookie')).toBeUndefined();
    await eventually(async () => expect((await signIn(stack, username)).status).toBe(303));
  });
});
