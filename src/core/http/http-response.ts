import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

type AnswerBody = string | Buffer | Promise<string> | object | undefined;

/**
 * Complete response of a handler that sets status, headers and body itself: pages and OAuth
 * endpoints. The type parameter of a JSON body appears in the API description.
 */
export class HttpResponse<Body extends AnswerBody = AnswerBody> {
  /**
   * `body`: text and bytes are sent as they are (HTML by default), objects as JSON, `undefined` as
   * nothing; a promise is awaited first. A list as a header's value is sent as several headers.
   */
  constructor(
    readonly status: number,
    readonly body: Body,
    readonly headers: Readonly<Record<string, string | string[]>> = {},
  ) {}
}

/** Response of background work. */
export interface Accepted {
  message: '202 Accepted';
}

/** Body of every 202. */
export const ACCEPTED: Accepted = { message: '202 Accepted' };

/** A body that is JSON already; `Body` is what it says, as the API description shows it. */
export class JsonText<Body> {
  /** Exists in types only. */
  declare readonly body?: Body;

  /** `tag` changes with the bytes: the validator of the response. */
  constructor(
    readonly bytes: Buffer,
    readonly tag: string,
  ) {}
}

/** Uploaded content to send. */
interface UploadedContent {
  name: string;
  /** Must be one that browsers do not run, such as `text/plain; charset=utf-8`. */
  type: string;
  /** null = only the headers, for HEAD. */
  content: Readable | Buffer | null;
  /** Not public, so no cache stores it by default. */
  isPrivate: boolean;
  cacheControl?: string;
}

/**
 * Sends uploaded content so that browsers neither run it nor guess its type. A client that
 * disconnects is not an error; a failure midway closes the connection.
 */
export async function sendContent(
  response: Response,
  { name, type, content, isPrivate, cacheControl }: UploadedContent,
): Promise<void> {
  response.setHeader('Content-Type', type);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  response.setHeader('Content-Disposition', dispositionOf(name));
  const caching = cacheControl ?? (isPrivate ? 'private, no-store' : 'no-cache');
  response.setHeader('Cache-Control', caching);
  if (content === null || Buffer.isBuffer(content)) {
    if (content !== null) response.setHeader('Content-Length', String(content.length));
    response.end(content ?? undefined);
    return;
  }
  try {
    await pipeline(content, response);
  } catch (error) {
    const isClientGone = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!isClientGone) throw error;
  }
}

/** RFC 6266: an ASCII fallback, and the name itself in the form of RFC 8187. */
function dispositionOf(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `inline; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
