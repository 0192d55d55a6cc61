import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

/** A port that is ours from now on; `handle` goes to another server's `listen`. */
export interface ListeningPort {
  port: number;
  handle: Server;
}

/**
 * Opens a port before the server that will answer on it exists, so that its address can go into
 * the configuration without another process taking the port in between.
 */
export async function openPort(): Promise<ListeningPort> {
  const handle = createServer();
  handle.listen(0, '127.0.0.1');
  await once(handle, 'listening');
  return { port: (handle.address() as AddressInfo).port, handle };
}
