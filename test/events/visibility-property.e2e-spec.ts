import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { cases } from '../support/scale.js';
import { changeWorld } from './visibility/changes.js';
import { Dice } from './visibility/dice.js';
import { described } from './visibility/events-maker.js';
import { addressOf, anyCase, expected, type Case } from './visibility/listing.js';
import type { World } from './visibility/world.js';
import { makeWorld } from './visibility/world-maker.js';

const CASES = cases({ sample: 400, full: 10_000 });
/** More than enough for each of them. */
const TIMEOUT_MS = CASES * 200;
const CASES_OF_WORLD = 100;
/** Number of changes to a world; the cases of each part see its state at that time. */
const ERAS = 4;
const AT_ONCE = 4;

/** `GUILDHALL_SEED` repeats a run. */
const SEED = Number(process.env['GUILDHALL_SEED'] ?? Date.now() % 1_000_000_000);

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

interface Listed {
  status: number;
  ids: number[];
  /** Problems of the pages apart from their items. */
  complaints: string[];
}

/** All pages of a list, one after the other. */
async function listAll(one: Case): Promise<Listed> {
  const { path, query } = addressOf(one);
  const headers: Record<string, string> =
    one.viewer?.token == null ? {} : { 'PRIVATE-TOKEN': one.viewer.token };
  const listed: Listed = { status: 200, ids: [], complaints: [] };
  const totals = new Set<string | null>();
  for (let page: string | null = '1'; page !== null && page !== '';) {
    const parameters: URLSearchParams = new URLSearchParams({ ...query, page });
    const response: Response = await fetch(`${app.url}/api/v4${path}?${parameters}`, { headers });
    const body = (await response.json()) as { id: number }[];
    if (response.status !== 200) return { ...listed, status: response.status };
    listed.ids.push(...body.map(({ id }) => id));
    totals.add(response.headers.get('x-total'));
    page = response.headers.get('x-next-page');
    if (page !== '' && body.length < one.perPage)
      listed.complaints.push(`short page before ${page}`);
  }
  const [total] = totals;
  if (totals.size > 1 || Number(total) !== listed.ids.length) {
    listed.complaints.push(`x-total ${[...totals].join(', ')} of ${listed.ids.length}`);
  }
  return listed;
}

/** Returns the problem with a response in one line; null if it is right. */
async function complaintAbout(world: World, one: Case): Promise<string | null> {
  const wanted = expected(world, one);
  const { status, ids, complaints } = await listAll(one);
  if (status !== (wanted === null ? 404 : 200)) complaints.push(`status ${status}`);
  const wantedIds = (wanted ?? []).map(({ id }) => id);
  const told = (id: number): string => {
    const event = world.events.find((candidate) => candidate.id === id);
    return event === undefined ? `${id} of elsewhere` : described(world, event);
  };
  const leaks = ids.filter((id) => !wantedIds.includes(id));
  const missing = wantedIds.filter((id) => !ids.includes(id));
  complaints.push(...leaks.map((id) => `shows ${told(id)}`));
  complaints.push(...missing.map((id) => `hides ${told(id)}`));
  if (complaints.length === 0 && ids.join() !== wantedIds.join()) complaints.push('wrong order');
  if (complaints.length === 0) return null;
  const { viewer, place, wish, perPage } = one;
  const who = viewer === null ? 'nobody' : JSON.stringify({ ...viewer, token: undefined });
  const what = JSON.stringify({ place, wish, perPage });
  return `${who} asks ${what}: ${complaints.slice(0, 5).join('; ')}`;
}

/** Several at once, all of them before anything changes. */
async function tryAll(world: World, chosen: readonly Case[]): Promise<string[]> {
  const waiting = [...chosen];
  const found: string[] = [];
  const work = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const complaint = await complaintAbout(world, one);
      if (complaint !== null) found.push(complaint);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

describe('lists of events', () => {
  it(
    `show what the viewer may see and nothing else (${CASES} cases, GUILDHALL_SEED=${SEED})`,
    async () => {
      // `shown` are the cases with several events, a third to a half of all.
      let [count, shown] = [0, 0];
      const dice = new Dice(SEED);
      while (count < CASES) {
        const world = await makeWorld(app.dataSource, dice);
        for (let era = 0; era < ERAS; era += 1) {
          if (era > 0) await changeWorld(app.dataSource, dice, world);
          const chosen = dice.times(CASES_OF_WORLD / ERAS, () => anyCase(dice, world));
          shown += chosen.filter((one) => (expected(world, one)?.length ?? 0) > 1).length;
          expect(await tryAll(world, chosen)).toEqual([]);
          count += chosen.length;
        }
      }
      // Otherwise nearly nothing would have been compared.
      expect(shown / count).toBeGreaterThan(0.15);
    },
    TIMEOUT_MS,
  );
});
