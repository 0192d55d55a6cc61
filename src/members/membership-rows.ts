import type { EntityManager } from 'typeorm';
import { ConflictError, NotFoundError } from '../core/errors.js';
import type { Preconditions } from '../core/preconditions.js';
import { SOURCE_COLUMNS, type MemberSource, type SourceKey } from './member-source.js';
import type { NewMember } from './membership-rules.js';

/** Whose direct membership is to change, and under which conditions. */
export interface MemberChoice {
  userId: number;
  preconditions: Preconditions;
}

interface MembershipRow {
  id: number;
  accessLevel: number;
  expiresAt: string | null;
  updatedAt: Date;
}

/** Lets only one change of the source's memberships happen at a time. */
export async function lockSource(tx: EntityManager, source: MemberSource): Promise<void> {
  const table = source.kind === 'project' ? 'projects' : 'namespaces';
  await tx.query(`SELECT 1 FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [source.id]);
}

/** A membership that has expired counts as none and is taken over. Throws 409. */
export async function insertMember(
  tx: EntityManager,
  source: SourceKey,
  member: NewMember & { createdById: number | null },
): Promise<void> {
  const column = SOURCE_COLUMNS[source.kind];
  const rows: unknown[] = await tx.query(
    `INSERT INTO members AS m (${column}, user_id, access_level, expires_at, created_by_id)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (${column}, user_id) DO UPDATE SET access_level = EXCLUDED.access_level,
       expires_at = EXCLUDED.expires_at, created_by_id = EXCLUDED.created_by_id,
       created_at = now(), updated_at = now()
     WHERE m.expires_at <= (now() AT TIME ZONE 'UTC')::date
     RETURNING m.id`,
    [source.id, member.userId, member.accessLevel, member.expiresAt, member.createdById],
  );
  if (rows.length === 0) throw new ConflictError('Member already exists');
}

/** The user's direct membership, with the source locked; throws 404 without one, and 412. */
export async function lockDirect(
  tx: EntityManager,
  source: MemberSource,
  { userId, preconditions }: MemberChoice,
): Promise<MembershipRow> {
  await lockSource(tx, source);
  const rows: MembershipRow[] = await tx.query(
    `SELECT id, access_level AS "accessLevel", expires_at AS "expiresAt",
            updated_at AS "updatedAt" FROM members
     WHERE ${SOURCE_COLUMNS[source.kind]} = $1 AND user_id = $2`,
    [source.id, userId],
  );
  const [member] = rows;
  if (member === undefined) throw new NotFoundError();
  preconditions.check(member.updatedAt);
  return member;
}
