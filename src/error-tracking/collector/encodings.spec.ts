import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { IngestError } from './ingest-error.js';
import { encodingOf, refined, unpackInto, unpackNow, type BodyEncoding } from './encodings.js';

const TEXT = 'hello '.repeat(1_000);
const LIMIT = 100_000;
const PACKED: [BodyEncoding, Buffer][] = [
  ['gzip', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['raw', deflateRawSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
];

async function streamed(encoding: BodyEncoding, bytes: Buffer): Promise<string> {
  const chunks: Buffer[] = [];
  await unpackInto(encoding, bytes, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks).toString();
}

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('packed bodies', () => {
  it('are recognised by names in any case', () => {
    const names = ['GZIP', ' x-gzip', 'deflate', 'br', 'identity', '', undefined];
    expect(names.map(encodingOf)).toEqual(['gzip', 'gzip', 'deflate', 'br', null, null, null]);
  });

  it.each(['compress', 'zstd', 'gzip, br', '__proto__', 'constructor'])(
    'are refused as %s',
    (name) => {
      expect(thrownBy(() => encodingOf(name))).toMatchObject({ status: 415 });
    },
  );

  it('are known as deflate with and without a header', () => {
    expect(refined('deflate', deflateSync(TEXT))).toBe('deflate');
    expect(refined('deflate', deflateRawSync(TEXT))).toBe('raw');
    expect(refined('gzip', deflateRawSync(TEXT))).toBe('gzip');
  });

  it.each(PACKED)('of %s are unpacked at once and piece by piece', async (encoding, bytes) => {
    expect(unpackNow(encoding, bytes, LIMIT)?.toString()).toBe(TEXT);
    expect(await streamed(encoding, bytes)).toBe(TEXT);
    expect(unpackNow(encoding, bytes, TEXT.length - 1)).toBeNull();
    expect(unpackNow(encoding, bytes, TEXT.length)).toHaveLength(TEXT.length);
  });

  it.each(PACKED)('of %s are refused when cut off or followed by more', async (encoding, bytes) => {
    for (const damaged of [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.from('xx')])]) {
      expect(thrownBy(() => unpackNow(encoding, damaged, LIMIT))).toBeInstanceOf(IngestError);
      await expect(streamed(encoding, damaged)).rejects.toBeInstanceOf(IngestError);
    }
  });

  it('of gzip may have several members', async () => {
    const twice = Buffer.concat([gzipSync('a'), gzipSync('b')]);
    expect(unpackNow('gzip', twice, LIMIT)?.toString()).toBe('ab');
    expect(await streamed('gzip', twice)).toBe('ab');
  });

  it('stop decompressing when the reader stops', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    let taken = 0;
    const enough = unpackInto('gzip', bomb, (chunk) => {
      taken += chunk.length;
      if (taken > 1_000_000) throw new Error('enough');
    });
    await expect(enough).rejects.toThrow('enough');
    expect(taken).toBeLessThan(1_200_000);
  });
});
