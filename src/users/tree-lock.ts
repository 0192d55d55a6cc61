import type { EntityManager } from 'typeorm';

/** Advisory lock that stands for the shape of the whole tree of groups. */
const TREE_LOCK = 7_220_001;

/**
 * Adding a group to the tree excludes only renames and transfers, which rewrite the full paths of
 * everything below: a group added meanwhile would keep the old ones.
 */
export async function lockTreeToAdd(tx: EntityManager): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [TREE_LOCK]);
}

/** For renames, transfers and deletions: the only change of the tree at a time. */
export async function lockTreeToReshape(tx: EntityManager): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [TREE_LOCK]);
}
