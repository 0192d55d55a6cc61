import { describe, expect, it } from '@jest/globals';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { PAYLOAD_ENCODINGS, type PayloadEncoding } from '../error-event.entity.js';
import { unpackPayload, unpackText } from './stored-event.js';

const EVENT = '{"message":"Grüße"}';

const row = (payload: Buffer | string, encoding: PayloadEncoding, isEnvelope = false) => ({
  payload: Buffer.from(payload),
  payloadEncoding: PAYLOAD_ENCODINGS.indexOf(encoding),
  isEnvelope,
});

describe('a stored payload', () => {
  it('is unpacked from every encoding', async () => {
    const packed = [
      row(EVENT, 'identity'),
      row(gzipSync(EVENT), 'gzip'),
      row(deflateSync(EVENT), 'deflate'),
      row(brotliCompressSync(EVENT), 'br'),
    ];
    for (const each of packed) expect(await unpackPayload(each)).toEqual({ message: 'Grüße' });
  });

  it('is found in an envelope, with a length or without, between other items', async () => {
    const length = Buffer.byteLength(EVENT);
    const envelopes = [
      `{}\n{"type":"event"}\n${EVENT}`,
      `{}\n{"type":"event"}\n${EVENT}\n`,
      `{"event_id":"1"}\n{"type":"event","length":${length}}\n${EVENT}\n{"type":"session"}\n{}\n`,
      `{}\n{"type":"session"}\n{}\n\n{"type":"event"}\n${EVENT}`,
      `{}\n{"type":"client_report","length":3}\na\nb\n{"type":"event"}\n${EVENT}`,
    ];
    for (const envelope of envelopes) {
      const text = await unpackText(row(envelope, 'identity', true));
      expect(text?.toString()).toBe(EVENT);
    }
  });

  it('is no event when it is damaged', async () => {
    const damaged = [
      row('nope', 'gzip'),
      row(gzipSync(EVENT).subarray(0, 20), 'gzip'),
      row('', 'deflate'),
      row('', 'identity', true),
      row('{}\n{"type":"session"}\n{}', 'identity', true),
      row('{}\n{"type":"event","length":-9}\n{}', 'identity', true),
      row('[1]', 'identity'),
      row('{', 'identity'),
      { ...row(EVENT, 'identity'), payloadEncoding: 9 },
    ];
    for (const each of damaged) expect(await unpackPayload(each)).toBeNull();
  });

  it('is no event when it would fill the memory', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(await unpackText(row(bomb, 'gzip'))).toBeNull();
  });
});
