import type { DataSource } from 'typeorm';

const KEY = `hashtextextended('auto merge ' || $1, 0)`;

/**
 * Does the work unless another worker does it for the same merge request at the moment. The claim
 * is the connection's: it ends with the process, however that ends.
 */
export async function whenFree(
  dataSource: DataSource,
  mergeRequestId: number,
  work: () => Promise<void>,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  const values = [String(mergeRequestId)];
  try {
    const [claim] = (await runner.query(
      `SELECT pg_try_advisory_lock(${KEY}) AS "isMine"`,
      values,
    )) as { isMine: boolean }[];
    if (claim?.isMine !== true) return;
    try {
      await work();
    } finally {
      await runner.query(`SELECT pg_advisory_unlock(${KEY})`, values);
    }
  } finally {
    await runner.release();
  }
}
