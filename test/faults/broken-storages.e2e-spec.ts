import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { fingerprint } from './support/content.js';
import { Fleet, type FleetMember } from './support/fleet.js';
import { placeOf } from './support/oracle.js';
import { FaultStack } from './support/stack.js';
import { Volume } from './support/volume.js';

const WRITABLE_AGAIN_MS = 5_000;

let folder: string;
let volume: Volume;
let stack: FaultStack;
let fleet: Fleet;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guildhall-volume-'));
  volume = await Volume.create(join(folder, 'small'));
  stack = await FaultStack.start({ storages: { storage2: volume.path } });
  fleet = await Fleet.make(stack);
});
afterEach(async () => {
  await stack.stop();
  await volume.remove();
  await rm(folder, { recursive: true, force: true });
});

async function moveOf({ id }: FleetMember): Promise<{ state: string; error: string | null }> {
  const [row] = await stack.rows<{ state: string; error: string | null }>(
    `SELECT state, error_message AS error FROM project_repository_storage_moves
     WHERE project_id = $1 ORDER BY id DESC LIMIT 1`,
    [id],
  );
  return row ?? { state: 'none', error: null };
}

/** Expects the project to be as before its move, and soon. */
async function expectFailure(member: FleetMember, message: RegExp): Promise<void> {
  const began = performance.now();
  await eventually(async () => expect((await placeOf(stack, member)).readOnly).toBe(false));
  expect(performance.now() - began).toBeLessThan(WRITABLE_AGAIN_MS);
  const error = expect.stringMatching(message);
  expect(await moveOf(member)).toEqual({ state: 'failed', error });
  const place = { storage: 'default', readOnly: false, holder: null };
  expect(await placeOf(stack, member)).toEqual(place);
  for (const kind of member.repositories) {
    expect(await fingerprint(fleet.path('default', kind, member.id))).toBe(member.expected);
  }
}

/** Breaks the destination when the copy is about to begin. */
async function moveWhile(breakIt: () => Promise<void>): Promise<FleetMember> {
  const [member] = fleet.members;
  if (member === undefined) throw new Error('the fleet is empty');
  await fleet.schedule({ only: member });
  const worker = stack.startWorker({ point: 'attempt.after-space', action: 'pause' });
  await worker.reaches('stopped');
  await breakIt();
  worker.resume();
  return member;
}

describe('a move into a storage that breaks fails, and its project is writable within 5 s', () => {
  it('when the disk is full', async () => {
    if (volume.isMounted) {
      const member = await moveWhile(() => volume.fill());
      await expectFailure(member, /^Storage storage2 is full \(ENOSPC\)$/);
      expect(await readdir(join(volume.path, '+svc', 'tmp'))).toEqual([]);
      return;
    }
    const [member] = fleet.members as [FleetMember];
    await fleet.schedule({ only: member });
    stack.startWorker({ point: 'copy.after-pack', action: 'throw:ENOSPC' });
    await eventually(async () => expect((await moveOf(member)).state).toBe('failed'));
    await expectFailure(member, /^Storage storage2 is full \(ENOSPC\)$/);
  });

  it('when it may no longer be written to', async () => {
    const member = await moveWhile(() => volume.refuseWrites());
    await expectFailure(member, /^Storage storage2 (is mounted read-only|denies)/);
  });

  it('when it is gone', async () => {
    const member = await moveWhile(() => volume.goAway());
    await expectFailure(member, /^Storage .*(is gone|is not available|is not mounted|lost a file)/);
  });
});
