import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type BrotliOptions,
  type ZlibOptions,
} from 'node:zlib';
import type { Transform } from 'node:stream';
import { IngestError, tooLarge, unreadable } from './ingest-error.js';

/**
 * Content codings of a body; `raw` is deflate without the header that RFC 9110 §8.4.1.2 requires.
 */
export type BodyEncoding = 'gzip' | 'deflate' | 'raw' | 'br';

/** Result of zlib functions with the option `info`, which the types of Node lack. */
interface Unpacked {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

type Options = Pick<ZlibOptions & BrotliOptions, 'info' | 'maxOutputLength' | 'chunkSize'>;

interface Decoder {
  unpack(bytes: Buffer, options: Options): Buffer;
  stream(options: Options): Transform & { bytesWritten: number };
}

const DECODERS: Record<BodyEncoding, Decoder> = {
  gzip: { unpack: gunzipSync, stream: createGunzip },
  deflate: { unpack: inflateSync, stream: createInflate },
  raw: { unpack: inflateRawSync, stream: createInflateRaw },
  br: { unpack: brotliDecompressSync, stream: createBrotliDecompress },
};

const NAMES: Partial<Record<string, BodyEncoding | null>> = {
  '': null,
  identity: null,
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
};

const CHUNK_BYTES = 64 * 1024;

/**
 * Data that decompresses to more than this, and to more than the maximum ratio, is refused:
 * reports, logs and dumps compress less.
 */
const UNSUSPICIOUS_BYTES = 8 * 1024 * 1024;
const MAX_RATIO = 100;

/** The encoding of a header `Content-Encoding`; null for none. Throws 415 for an unknown one. */
export function encodingOf(header: string | undefined): BodyEncoding | null {
  const name = (header ?? '').trim().toLowerCase();
  const encoding = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
  if (encoding !== undefined) return encoding;
  const causes = ['the content encoding is not supported'];
  throw new IngestError(415, '415 Unsupported Media Type', { causes });
}

/**
 * Returns `raw` for deflate data without the zlib header, which some programs omit (RFC 1950 §2.2).
 */
export function refined(encoding: BodyEncoding, bytes: Buffer): BodyEncoding {
  if (encoding !== 'deflate' || bytes.length < 2) return encoding;
  const first = bytes.readUInt16BE(0);
  const hasHeader = ((first >> 8) & 0x0f) === 8 && first % 31 === 0;
  return hasHeader ? 'deflate' : 'raw';
}

/**
 * Returns true if the first bytes decompress at once. Brotli can fill a window of up to 16 MiB
 * before them from very little input, which must not block other requests.
 */
export function isQuick(encoding: BodyEncoding): boolean {
  return encoding !== 'br';
}

/** The unpacked bytes, or null when there are more than `limit`. Throws 400 for damaged data. */
export function unpackNow(encoding: BodyEncoding, bytes: Buffer, limit: number): Buffer | null {
  const options = { info: true, maxOutputLength: limit, chunkSize: CHUNK_BYTES };
  try {
    const unpacked = DECODERS[encoding].unpack(bytes, options) as unknown as Unpacked;
    if (unpacked.engine.bytesWritten !== bytes.length) throw damaged('data after the end');
    return unpacked.buffer;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw error instanceof IngestError ? error : damaged(error);
  }
}

/**
 * Passes the decompressed bytes on in chunks; stops when `sink` throws. Rejects with the error of
 * `sink`, with 400 for damaged data, and with 413 for a suspicious compression ratio.
 */
export function unpackInto(
  encoding: BodyEncoding,
  bytes: Buffer,
  sink: (chunk: Buffer) => void,
): Promise<void> {
  const decoder = DECODERS[encoding].stream({ chunkSize: CHUNK_BYTES });
  const most = Math.max(UNSUSPICIOUS_BYTES, MAX_RATIO * bytes.length);
  let size = 0;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      decoder.removeAllListeners('data');
      decoder.destroy();
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    decoder.on('data', (chunk: Buffer) => {
      size += chunk.length;
      try {
        if (size > most) throw tooLarge('the body unpacks to too much for its size');
        sink(chunk);
      } catch (error) {
        fail(error);
      }
    });
    decoder.once('error', (error) => fail(damaged(error)));
    decoder.once('end', () => {
      if (decoder.bytesWritten === bytes.length) resolve();
      else fail(damaged('data after the end'));
    });
    decoder.end(bytes);
  });
}

function damaged(reason: unknown): IngestError {
  const cause = reason instanceof Error ? reason.message : String(reason);
  return unreadable('body cannot be unpacked', [cause]);
}
