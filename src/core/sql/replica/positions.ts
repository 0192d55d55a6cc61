import pg, { type Client, type Pool } from 'pg';

/** All commits that were acknowledged are below what is on the primary's disk. */
const PRIMARY_SQL = `
  SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::float8 AS position`;

const REPLICA_SQL = `
  SELECT coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::float8 AS position,
    pg_is_in_recovery() AS "isReplica",
    current_setting('hot_standby_feedback')::boolean AS "givesFeedback"`;

interface ReplicaPosition {
  position: number;
  /** False for a server that was promoted, or never was a replica. */
  isReplica: boolean;
  /** False if the primary may remove rows that a long read on the replica still needs. */
  givesFeedback: boolean;
}

/** Returns the bytes of the log on the primary's disk; rejects on a replica. */
export async function primaryPosition(connection: Pool | Client): Promise<number> {
  const { rows } = await connection.query<{ position: number }>(PRIMARY_SQL);
  return (rows as [{ position: number }])[0].position;
}

/** Returns how much of the log a replica shows. */
export async function replicaPosition(connection: Pool | Client): Promise<ReplicaPosition> {
  const { rows } = await connection.query<ReplicaPosition>(REPLICA_SQL);
  return (rows as [ReplicaPosition])[0];
}

const IDENTIFIER_SQL = `
  SELECT system_identifier::text AS identifier FROM pg_control_system()`;

const INSUFFICIENT_PRIVILEGE = '42501';

/** Returns what a primary and its replicas have in common; null without the privilege to read it. */
async function systemIdentifier(connection: Pool | Client): Promise<string | null> {
  try {
    const { rows } = await connection.query<{ identifier: string }>(IDENTIFIER_SQL);
    return rows[0]?.identifier ?? null;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE) return null;
    throw error;
  }
}

/** Returns false for servers of two clusters; true also where either keeps its identifier secret. */
export async function areOfOneCluster(
  ...servers: [Pool | Client, Pool | Client]
): Promise<boolean> {
  const [one, other] = await Promise.all(servers.map(systemIdentifier));
  return one === null || other === null || one === other;
}
