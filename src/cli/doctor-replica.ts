import { setTimeout as delay } from 'node:timers/promises';
import { primaryPosition, replicaPosition } from '../core/sql/replica/positions.js';
import { readSchemaState } from '../database/schema-state.js';
import type { Cli } from './cli.js';
import { withConnection } from './backup/connection.js';
import type { Report } from './doctor-repositories.js';

const MAX_LAG_MS = 2_000;
const LOOK_EVERY_MS = 100;

/** Checks that DATABASE_REPLICA_URL names a replica of the primary that follows it closely. */
export async function checkReplica({ config }: Cli, report: Report): Promise<void> {
  const { databaseUrl, databaseReplicaUrl } = config;
  if (databaseReplicaUrl === undefined) return;
  const { missing } = await readSchemaState(databaseReplicaUrl);
  if (missing.length > 0) {
    report('failed', `lacks ${missing.join(', ')}: it is no replica of DATABASE_URL`);
    return;
  }
  const target = await withConnection(databaseUrl, primaryPosition);
  const end = performance.now() + MAX_LAG_MS;
  for (;;) {
    const { position, isReplica, givesFeedback } = await withConnection(
      databaseReplicaUrl,
      replicaPosition,
    );
    if (!isReplica) report('failed', 'DATABASE_REPLICA_URL names a server that is not a replica');
    else if (position >= target && !givesFeedback) {
      report('warning', 'hot_standby_feedback is off: the primary repeats reads that conflict');
    } else if (position < target && performance.now() < end) {
      await delay(LOOK_EVERY_MS);
      continue;
    } else if (position < target) {
      report('failed', `is ${target - position} bytes behind for more than 2 seconds`);
    }
    return;
  }
}
