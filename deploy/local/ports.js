import { createServer } from 'node:net';

/**
 * @param {{ port: number, host?: string }} address
 * @returns {Promise<number>} the port listened on for a moment
 */
function listenOnce({ port, host }) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}

/** A TCP port of the loopback interface that is free now. */
export function freePort() {
  return listenOnce({ port: 0, host: '127.0.0.1' });
}

/**
 * @param {number} port
 * @param {string | undefined} host all interfaces when undefined
 * @returns {Promise<string | null>} null when free, else the system's error code
 */
export async function portProblem(port, host) {
  try {
    await listenOnce({ port, host });
    return null;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code ?? String(error);
  }
}
