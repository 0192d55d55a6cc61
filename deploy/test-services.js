import { startLocalServices } from './local/services.js';
import { runMain } from './local/refusal.js';

/**
 * Keeps PostgreSQL and Redis for tests in the foreground and prints the lines that make
 * `npm test` in another terminal use them: `eval "$(…)"` or a file to source.
 */
async function main() {
  const services = await startLocalServices({ purpose: 'test', durable: false });
  console.log(`export TEST_ADMIN_DATABASE_URL='${services.databaseUrl}'`);
  console.log(`export TEST_REDIS_URL='${services.redisUrl}'`);
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
    // Signal handlers alone keep no process alive.
    setInterval(() => undefined, 2 ** 31 - 1);
  });
  await services.stop();
  process.exit();
}

await runMain(main);
