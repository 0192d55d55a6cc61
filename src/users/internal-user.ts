import type { EntityManager } from 'typeorm';
import { insertUserNamespace } from './user-namespace.js';
import { User } from './user.entity.js';

/** A user of the server itself; nobody can sign in as one. */
export interface InternalUserKind {
  /** Wanted; with a number behind it when somebody has that path already. */
  username: string;
  name: string;
  /** Recognises it. `.invalid` is never delivered to (RFC 2606 §2), so no person can own it. */
  email: string;
  bio: string;
}

/** What is needed of one that there is. */
export interface InternalUser {
  userId: number;
  namespaceId: number;
}

/** The internal user of that kind, made on first need. */
export async function internalUser(
  tx: EntityManager,
  kind: InternalUserKind,
): Promise<InternalUser> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`internal user ${kind.email}`]);
  const rows = await tx.query<InternalUser[]>(
    `SELECT u.id AS "userId", n.id AS "namespaceId"
     FROM users u JOIN namespaces n ON n.owner_id = u.id WHERE lower(u.email) = $1`,
    [kind.email],
  );
  return rows[0] ?? insertInternalUser(tx, kind);
}

async function insertInternalUser(
  tx: EntityManager,
  { name, email, bio, ...wanted }: InternalUserKind,
): Promise<InternalUser> {
  const username = await freeUsername(tx, wanted.username);
  const owner = { username, name };
  const inserted = await tx.insert(User, {
    ...owner,
    email,
    userType: 'internal',
    confirmedAt: new Date(),
    bio,
  });
  const userId = (inserted.identifiers[0] as { id: number }).id;
  return { userId, namespaceId: await insertUserNamespace(tx, { id: userId, ...owner }) };
}

async function freeUsername(tx: EntityManager, wanted: string): Promise<string> {
  const rows = await tx.query<{ path: string }[]>(
    `SELECT lower(full_path) AS path FROM namespaces
     WHERE parent_id IS NULL AND lower(full_path) ~ ('^' || $1::text || '[0-9]*$')`,
    [wanted],
  );
  const taken = new Set(rows.map(({ path }) => path));
  let username = wanted;
  for (let n = 1; taken.has(username); n += 1) username = `${wanted}${n}`;
  return username;
}
