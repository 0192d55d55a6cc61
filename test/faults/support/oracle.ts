import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect } from '@jest/globals';
import {
  ALL_MOVE_KINDS,
  MOVE_KIND_DESCRIPTIONS,
  type MoveKindDescription,
} from '../../../src/storage-moves/move-kinds.js';
import { eventually } from '../../support/eventually.js';
import { fingerprint } from './content.js';
import type { Fleet, FleetMember } from './fleet.js';
import type { FaultStack } from './stack.js';

/** Time limit for recovery after a fault. */
const RECOVERY_SECONDS = 60;

export interface Ending {
  kind: string;
  id: number;
  state: string;
  error: string | null;
}

/**
 * Waits until no move is unfinished, for 60 seconds at most, and answers how the latest move of
 * each container ended. Waiting times between attempts are skipped by setting their clock.
 */
export async function untilFinished(
  stack: FaultStack,
  seconds = RECOVERY_SECONDS,
): Promise<Ending[]> {
  return eventually(
    async () => {
      await skipRetryWaits(stack);
      const open = await stack.rows(UNFINISHED);
      if (open.length > 0) throw new Error(`unfinished: ${JSON.stringify(open)}`);
      return stack.rows<Ending>(ALL_MOVE_KINDS.map(latestMoves).join(' UNION ALL '));
    },
    { seconds, everyMs: 20 },
  );
}

const UNFINISHED = [
  ...ALL_MOVE_KINDS.map(
    ({ kind, table }) =>
      `SELECT '${kind}-' || id AS what, state, phase, retries, lease_owner AS holder FROM ${table}
       WHERE state IN ('initial', 'scheduled', 'started', 'replicated')`,
  ),
  `SELECT 'batch-' || id, kind, '', 0, '' FROM storage_move_batches WHERE finished_at IS NULL`,
].join(' UNION ALL ');

function latestMoves({ kind, table, containerColumn }: MoveKindDescription): string {
  return `SELECT * FROM (SELECT DISTINCT ON (m.${containerColumn}) '${kind}' AS kind,
    m.${containerColumn} AS id, m.state, m.error_message AS error
    FROM ${table} m ORDER BY m.${containerColumn}, m.id DESC) latest_${kind}`;
}

async function skipRetryWaits(stack: FaultStack): Promise<void> {
  for (const { table } of ALL_MOVE_KINDS) {
    await stack.rows(
      `UPDATE ${table} SET retry_at = now() WHERE retry_at > now() AND state IN ('started', 'replicated')`,
    );
  }
}

/** Every container is at home, writable, with content as ever; nothing else lies about. */
export async function assertInOrder(fleet: Fleet): Promise<void> {
  for (const member of fleet.members) {
    const storage = fleet.homeOf(member);
    expect(await placeOf(fleet.stack, member)).toEqual({ storage, readOnly: false, holder: null });
    for (const kind of member.repositories) {
      const found = await fingerprint(fleet.path(storage, kind, member.id));
      expect(found).toBe(member.expected);
    }
  }
  await assertNothingElse(fleet);
}

export async function placeOf(
  stack: FaultStack,
  { kind, id }: Pick<FleetMember, 'kind' | 'id'>,
): Promise<{ storage: string; readOnly: boolean; holder: number | null }> {
  const [place] = await stack.rows<{ storage: string; readOnly: boolean; holder: number | null }>(
    `SELECT repository_storage AS storage, repository_read_only AS "readOnly",
            read_only_move_id AS holder
     FROM ${MOVE_KIND_DESCRIPTIONS[kind].containerTable} WHERE id = $1`,
    [id],
  );
  if (place === undefined) throw new Error(`There is no ${kind} ${id}`);
  return place;
}

/** The storages hold exactly the members' repositories where they belong, and no temporary copy. */
async function assertNothingElse(fleet: Fleet): Promise<void> {
  for (const storage of ['default', 'storage2']) {
    const here = fleet.members.filter((member) => fleet.homeOf(member) === storage);
    const wanted = here.flatMap(({ id, repositories }) =>
      repositories.map((kind) =>
        relative(fleet.stack.root(storage), fleet.path(storage, kind, id)),
      ),
    );
    expect(await livePaths(fleet.stack.root(storage))).toEqual(wanted.sort());
    expect(await readdir(join(fleet.stack.root(storage), '+svc', 'tmp'))).toEqual([]);
  }
}

/** Everything below the folders of the live repositories, four levels down, locks among them. */
async function livePaths(root: string): Promise<string[]> {
  const tops = (await readdir(root)).filter((name) => name.startsWith('@'));
  const found: string[] = [];
  for (const top of tops) {
    for (const first of await readdir(join(root, top))) {
      for (const second of await readdir(join(root, top, first))) {
        const names = await readdir(join(root, top, first, second));
        found.push(...names.map((name) => `${top}/${first}/${second}/${name}`));
      }
    }
  }
  return found.sort();
}

/** Asserts that the trash and its records match. */
export async function assertTrashKnown(stack: FaultStack): Promise<void> {
  for (const storage of ['default', 'storage2']) {
    const names = await readdir(join(stack.root(storage), '+svc', 'trash'));
    const rows = await stack.rows<{ path: string }>(
      'SELECT path FROM repository_trash WHERE storage = $1',
      [storage],
    );
    const known = rows.map(({ path }) => path).sort();
    expect(names.map((name) => `+svc/trash/${name}`).sort()).toEqual(known);
  }
}
