import type { Server } from 'node:http';

const IDLE_CHECK_MS = 50;

/**
 * Takes no new connections and waits for running requests; what still runs after `graceMs` is
 * cut off. Kept-alive connections are closed as soon as their request is over.
 */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  try {
    await closed;
  } finally {
    clearInterval(idleCheck);
    clearTimeout(deadline);
  }
}
