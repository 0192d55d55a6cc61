import { hash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Answer } from './answer.js';
import { secondsSinceStart } from './request-state.js';
import { sendPayload } from './send-payload.js';

/** Cache-Control of 200 responses to GET: clients must revalidate each time. */
const REVALIDATE = 'max-age=0, private, must-revalidate';

/**
 * Writes one answer. Objects, lists, numbers and booleans go out as `application/json` without
 * charset; text and bytes go out as they are, as HTML unless their type was set before.
 * A 200 to GET or HEAD carries a weak ETag and becomes 304 when the client has it already
 * (RFC 9110 §13.1.2); everything else must not be cached. `undefined` is an empty body.
 */
export function sendBody(response: Response, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader('X-Runtime', secondsSinceStart(response));
  if (body === undefined || status === 204) {
    setUnlessSet(response, 'Cache-Control', 'no-cache');
    response.end();
    return;
  }
  const payload = encode(response, body);
  const request = response.req;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (status === 200 && isRead && isUnchanged(request, response, payload)) {
    sendNotModified(response);
    return;
  }
  setUnlessSet(response, 'Cache-Control', 'no-cache');
  response.setHeader('Content-Length', Buffer.byteLength(payload));
  sendPayload(response, payload);
}

/** Writes what a handler decided to the last header. */
export function sendAnswer(response: Response, { status, body, headers }: Answer): void {
  for (const [name, value] of Object.entries(headers)) {
    // The guard may have set a cookie already.
    if (name === 'Set-Cookie') response.append(name, value);
    else response.setHeader(name, value);
  }
  sendBody(response, status, body);
}

function encode(response: Response, body: unknown): string | Buffer {
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    setUnlessSet(response, 'Content-Type', 'text/html; charset=utf-8');
    return body;
  }
  setUnlessSet(response, 'Content-Type', 'application/json');
  return JSON.stringify(body);
}

/** Adds the validators and returns true if the client's copy is current. */
function isUnchanged(request: Request, response: Response, payload: string | Buffer): boolean {
  if (response.hasHeader('Cache-Control')) return false;
  response.setHeader('Cache-Control', REVALIDATE);
  const tag = `"${hash('sha256', payload, 'hex').slice(0, 32)}"`;
  response.setHeader('ETag', `W/${tag}`);
  return isKnown(request.headers['if-none-match'], tag);
}

/**
 * Weak comparison with the client's tags (RFC 9110 §8.8.3.2). Not Express' `fresh`: that ignores
 * the tags when `Cache-Control: no-cache` comes with them, as `fetch` sends it by itself.
 */
function isKnown(condition: string | undefined, tag: string): boolean {
  if (condition === undefined) return false;
  const known = condition.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known.includes(tag) || known.includes('*');
}

function sendNotModified(response: Response): void {
  response.statusCode = 304;
  response.removeHeader('Content-Type');
  response.end();
}

function setUnlessSet(response: Response, name: string, value: string): void {
  if (!response.hasHeader(name)) response.setHeader(name, value);
}
