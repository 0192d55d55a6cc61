import pg from 'pg';

/**
 * Runs `work` with a connection of its own. Without a listener a connection that is lost while it
 * is idle would end the process; with one the next statement fails, and the locks are known lost.
 */
export async function withConnection<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
