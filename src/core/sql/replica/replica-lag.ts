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

/** Positions of the primary that are remembered: four minutes. */
const MAX_SAMPLES = 1_000;

/**
 * Age of what a replica shows. The replica alone cannot tell: one that is cut off from its primary has
 * replayed all that it knows of. So positions of the primary are remembered with their times, and
 * the latest that the replica has reached tells how old its rows are at most.
 */
export class ReplicaLag {
  private samples: { position: number; at: number }[] = [];
  private upToDateAt = Number.NEGATIVE_INFINITY;

  /**
   * Takes the position that the primary had at the time, and the one that the replica reached since.
   * Positions are bytes of the log, times milliseconds of one clock.
   */
  note(primary: { position: number; at: number }, replayed: number): void {
    this.samples.push(primary);
    const reached = this.samples.findLastIndex(({ position }) => position <= replayed);
    const latest = this.samples[reached];
    if (latest !== undefined) {
      this.upToDateAt = latest.at;
      this.samples.splice(0, reached);
    }
    if (this.samples.length > MAX_SAMPLES) this.samples.shift();
  }

  /** Forgets all: the replica counts as infinitely old until the next position that it reached. */
  reset(): void {
    this.samples = [];
    this.upToDateAt = Number.NEGATIVE_INFINITY;
  }

  /** Milliseconds of the same clock; infinite when nothing is known. */
  at(now: number): number {
    return now - this.upToDateAt;
  }
}
