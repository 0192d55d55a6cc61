import { randomFillSync } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { monotonicFactory } from 'ulid';
import { startRequest } from './http/request-state.js';

const randomBytes = Buffer.alloc(4096);
let usedBytes = randomBytes.length;

// By default the generator would call the system for each of its 16 random characters.
const nextId = monotonicFactory(randomFraction);

function randomFraction(): number {
  if (usedBytes === randomBytes.length) {
    randomFillSync(randomBytes);
    usedBytes = 0;
  }
  return randomBytes.readUInt8(usedBytes++) / 256;
}

interface FixedHeaders {
  /** Sends HSTS (RFC 6797) if clients use https. */
  isHttps: boolean;
}

/**
 * Gives every request its id and the headers that no answer goes without. An id that a client
 * sends is not taken over: it could be anything, or someone else's.
 */
export function requestIdMiddleware({ isHttps }: FixedHeaders) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    const id = nextId();
    startRequest(response, id);
    response.setHeader('X-Request-Id', id);
    response.setHeader('X-Svc-Meta', `{"correlation_id":"${id}","version":"1"}`);
    response.setHeader('Vary', 'Origin');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('X-Frame-Options', 'SAMEORIGIN');
    if (isHttps) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    next();
  };
}
