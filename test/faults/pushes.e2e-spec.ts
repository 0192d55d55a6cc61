import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { type GitSandbox, makeGitSandbox } from '../support/git.js';
import { git } from '../support/storage-move-factories.js';
import { Fleet, type FleetMember } from './support/fleet.js';
import { placeOf, untilFinished } from './support/oracle.js';
import { Pusher } from './support/pusher.js';
import { FaultStack } from './support/stack.js';

const PUSHERS = 8;
const MOVES = 100;
const KILLS = 6;
const ZERO = '0'.repeat(40);

let stack: FaultStack;
let fleet: Fleet;
let sandbox: GitSandbox;
let projects: FleetMember[];
beforeAll(async () => {
  stack = await FaultStack.start();
  fleet = await Fleet.make(stack);
  sandbox = await makeGitSandbox();
  projects = fleet.members.filter(({ kind }) => kind === 'project');
  stack.startWorker();
});
afterAll(async () => {
  await sandbox.remove();
  await stack.stop();
});

async function startPushers(count: number, prefix: string): Promise<Map<Pusher, FleetMember>> {
  const pushers = new Map<Pusher, FleetMember>();
  for (let index = 0; index < count; index += 1) {
    const project = projects[index % projects.length] as FleetMember;
    const url = await fleet.cloneUrl(project);
    pushers.set(await Pusher.start({ sandbox, url, branch: `${prefix}-${index}` }), project);
  }
  return pushers;
}

async function moveAllProjects(): Promise<void> {
  for (const only of projects) await fleet.schedule({ only });
  const endings = await untilFinished(stack);
  expect(endings.filter(({ state }) => state !== 'finished')).toEqual([]);
  fleet.home = fleet.away;
}

async function pathOf(project: FleetMember): Promise<string> {
  const { storage } = await placeOf(stack, project);
  return fleet.path(storage, 'project', project.id);
}

/** Accepted commits of the pusher that its branch does not hold. */
async function lostCommits(pusher: Pusher, project: FleetMember): Promise<string[]> {
  if (pusher.accepted.length === 0) return [];
  const commits = await git(['-C', await pathOf(project), 'rev-list', pusher.branch]);
  const held = new Set(commits.split('\n'));
  return pusher.accepted.filter((commit) => !held.has(commit));
}

describe('pushes while their repositories move to and fro', () => {
  it(`of ${PUSHERS} people during ${MOVES} moves: each is refused, or there afterwards`, async () => {
    const pushers = await startPushers(PUSHERS, 'busy');
    const sum = (of: (pusher: Pusher) => number): number =>
      [...pushers.keys()].reduce((total, pusher) => total + of(pusher), 0);
    for (let moves = 0; moves < MOVES; moves += projects.length) {
      await moveAllProjects();
      const before = sum(({ accepted }) => accepted.length);
      await eventually(() => sum(({ accepted }) => accepted.length) >= before + PUSHERS / 2);
    }
    await Promise.all([...pushers.keys()].map((pusher) => pusher.stop()));
    for (const [pusher, project] of pushers) {
      expect(pusher.oddities).toEqual([]);
      expect(await lostCommits(pusher, project)).toEqual([]);
    }
    const [accepted, refused] = [sum((p) => p.accepted.length), sum((p) => p.refused)];
    console.log(`${MOVES} moves: ${accepted} pushes accepted, ${refused} refused, 0 lost`);
    expect(refused).toBeGreaterThan(0);
  });
});

interface Update {
  ref: string;
  old: string;
  new: string;
}

/** Returns the recorded updates of the branch. */
function updatesOf({ id }: FleetMember, { branch }: Pusher): Promise<Update[]> {
  return stack.rows<Update>(
    `SELECT ref, old_oid AS old, new_oid AS new FROM ref_updates
     WHERE repository_kind = 'project' AND container_id = $1 AND ref = $2 ORDER BY id`,
    [id, `refs/heads/${branch}`],
  );
}

/** The record of a branch must lead from nothing to its tip, each update once. */
async function expectRecordEqualsBranch(project: FleetMember, pusher: Pusher): Promise<void> {
  const updates = await updatesOf(project, pusher);
  const next = new Map(updates.map((update) => [update.old, update.new]));
  const steps: string[] = [];
  // Not in the order of the rows: what a killed process has done is recorded later.
  for (let oid = next.get(ZERO); oid !== undefined; oid = next.get(oid)) steps.push(oid);
  expect(steps).toHaveLength(updates.length);
  const tip = ['-C', await pathOf(project), 'rev-parse', pusher.branch];
  expect(steps.at(-1)).toBe(await git(tip));
}

interface Told {
  old: string;
  new: string;
  commits: number;
}

/** Each update has one event, which counts its commits. */
async function expectEventsEqualRecord(project: FleetMember, pusher: Pusher): Promise<void> {
  const events = await stack.rows<Told>(
    `SELECT coalesce(commit_from, repeat('0', 40)) AS old, commit_to AS new,
            commit_count AS commits
     FROM events WHERE project_id = $1 AND ref = $2`,
    [project.id, pusher.branch],
  );
  const updates = await updatesOf(project, pusher);
  const pairs = (list: readonly { old: string; new: string }[]): string[] =>
    list.map((step) => `${step.old} ${step.new}`).sort();
  expect(pairs(events)).toEqual(pairs(updates));
  for (const event of events.filter(({ old }) => old !== ZERO)) {
    const range = ['rev-list', '--count', `${event.old}..${event.new}`];
    expect(String(event.commits)).toBe(await git(['-C', await pathOf(project), ...range]));
  }
}

/** Writes of killed processes count as dead after a minute; this is that minute. */
async function endAbandonedWrites(): Promise<void> {
  await stack.rows(`UPDATE inflight_writes SET heartbeat_at = now() - interval '61 seconds'`);
}

describe('a web process killed while people push', () => {
  it(`${KILLS} times: every update is recorded once and has one event, and the repositories move`, async () => {
    const pushers = await startPushers(4, 'killed');
    for (let kill = 0; kill < KILLS; kill += 1) {
      // Another moment of the pushes with every kill.
      await delay(150 + kill * 35);
      await stack.killWeb();
      await stack.restartWeb();
    }
    const accepted = (): number => [...pushers.keys()].filter((p) => p.accepted.length > 0).length;
    await eventually(() => accepted() === pushers.size, { seconds: 30 });
    await Promise.all([...pushers.keys()].map((pusher) => pusher.stop()));
    await endAbandonedWrites();
    await moveAllProjects();
    expect(await stack.rows('SELECT id FROM inflight_writes')).toEqual([]);
    for (const [pusher, project] of pushers) {
      expect(await lostCommits(pusher, project)).toEqual([]);
      await expectRecordEqualsBranch(project, pusher);
      await expectEventsEqualRecord(project, pusher);
    }
  });
});
