import type { Socket } from 'node:net';
import type { NextFunction, Request, Response } from 'express';

/** Maximum pipelined requests per connection. */
const MOST_WAITING = 20;

const waiting = new WeakMap<Socket, number>();

/**
 * Closes connections that pipeline too many requests: each takes a few bytes to send, but holds a
 * whole response in memory until the earlier ones are read.
 */
export function boundPipelining(request: Request, response: Response, next: NextFunction): void {
  const { socket } = request;
  const count = (waiting.get(socket) ?? 0) + 1;
  waiting.set(socket, count);
  response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
  if (count <= MOST_WAITING) next();
  else socket.destroy();
}
