import type { Socket } from 'node:net';
import type { NextFunction, Request, Response } from 'express';

/** Requests of one connection that wait for their answers. */
const MOST_WAITING = 20;

const waiting = new WeakMap<Socket, number>();

/**
 * Cuts a connection off that asks again and again without waiting for answers: a few bytes of each
 * request would hold a whole answer in memory until the ones before it are read.
 */
export function boundPipelining(request: Request, response: Response, next: NextFunction): void {
  const { socket } = request;
  const count = (waiting.get(socket) ?? 0) + 1;
  waiting.set(socket, count);
  response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
  if (count <= MOST_WAITING) next();
  else socket.destroy();
}
