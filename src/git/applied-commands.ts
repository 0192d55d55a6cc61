import type { EntityManager } from 'typeorm';
import { listReferences } from './git-repository.js';
import type { RefCommand } from './inflight-write.entity.js';
import { isZeroOid } from './reference-name.js';
import type { WriteRequest } from './write-lease.js';

/** A write that ended without telling what it updated. */
export interface UntoldWrite extends WriteRequest {
  id: string;
  repositoryPath: string;
}

/**
 * Of a write's commands, those that came into force: their ref has the new value, or others went
 * on from there. What another write has on record since this one began was that one's doing.
 */
export async function appliedCommands(
  manager: EntityManager,
  write: UntoldWrite,
  commands: readonly RefCommand[],
): Promise<RefCommand[]> {
  // Refs before records: what happens in between is then seen at least in one of them.
  const references = await listReferences(write.repositoryPath);
  const current = new Map(references.map(({ name, oid }) => [name, oid]));
  const later = await updatesOfOthers(manager, write);
  return commands.filter(({ ref, oldOid, newOid }) => {
    const others = later.get(ref) ?? [];
    if (others.some((other) => other.oldOid === oldOid && other.newOid === newOid)) return false;
    const oid = current.get(ref);
    const isThere = isZeroOid(newOid) ? oid === undefined : oid === newOid;
    return isThere || others.some((other) => other.oldOid === newOid);
  });
}

async function updatesOfOthers(
  manager: EntityManager,
  { id, kind, containerId }: UntoldWrite,
): Promise<Map<string, RefCommand[]>> {
  const updates = await manager.query<RefCommand[]>(
    `SELECT u.ref, u.old_oid AS "oldOid", u.new_oid AS "newOid"
     FROM ref_updates u JOIN inflight_writes w ON w.id = $1
     WHERE u.repository_kind = $2 AND u.container_id = $3 AND u.write_id <> $1
       AND u.created_at >= w.started_at`,
    [id, kind, containerId],
  );
  const byRef = new Map<string, RefCommand[]>();
  for (const update of updates) byRef.set(update.ref, [...(byRef.get(update.ref) ?? []), update]);
  return byRef;
}
