import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import type { ForkRequest, ForkResponse } from './forked-process.js';

/**
 * The fork server, a program: starts processes for its parent (see fork-process.ts), whose
 * connections to the Unix socket in its argument become the standard streams of these. It loads
 * nothing that it does not need, because a start takes longer the more memory this process has.
 */

/** Request and number of the stream, with which a connection begins. */
const HEADER_BYTES = 8;
const STREAMS = 3;
/** More than can wait: the system refuses connections beyond. */
const BACKLOG = 4096;

/** A request of which the message or a connection is still missing. */
interface PendingRequest {
  message?: ForkRequest;
  streams: Map<number, Socket>;
}

const pending = new Map<number, PendingRequest>();

function complete(id: number, add: (request: PendingRequest) => void): void {
  const request: PendingRequest = pending.get(id) ?? { streams: new Map() };
  pending.set(id, request);
  add(request);
  if (request.message === undefined || request.streams.size < STREAMS) return;
  pending.delete(id);
  start(request.message, request.streams);
}

function start({ id, program, args, cwd, env }: ForkRequest, streams: Map<number, Socket>): void {
  const stdio = [0, 1, 2].map((number) => streams.get(number));
  try {
    const child = spawn(program, args, { cwd, env, stdio, detached: true });
    child.once('error', (error) => refuse(id, error));
    if (child.pid === undefined) return;
    respond({ id, pid: child.pid });
    child.once('exit', (code, signal) => respond({ id, exit: { code, signal } }));
  } catch (error) {
    // Node throws some errors of the system and emits the others.
    refuse(id, error as Error);
  } finally {
    for (const stream of streams.values()) stream.destroy();
  }
}

function refuse(id: number, { message, ...properties }: Error): void {
  respond({ id, error: { ...properties, message } });
}

function respond(response: ForkResponse): void {
  process.send?.(response, () => undefined);
}

const server = createServer((socket) => {
  const readHeader = (): void => {
    const header = socket.read(HEADER_BYTES) as Buffer | null;
    if (header === null) return;
    socket.off('readable', readHeader);
    const [id, number] = [header.readUInt32BE(0), header.readUInt32BE(4)];
    complete(id, ({ streams }) => streams.set(number, socket));
  };
  socket.on('readable', readHeader);
  // The parent notices at its own end.
  socket.on('error', () => undefined);
});

const [, , path = ''] = process.argv;
process.title = 'guildhall fork server';
// A terminal or a service manager sends these to all processes; this one ends with its parent.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.on('disconnect', () => {
  rmSync(dirname(path), { recursive: true, force: true });
  process.exit();
});
process.on('message', (message: ForkRequest) => {
  complete(message.id, (request) => (request.message = message));
});
server.listen({ path, backlog: BACKLOG }, () => process.send?.('ready'));
