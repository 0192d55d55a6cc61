import type { Pool, Client } from 'pg';

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
