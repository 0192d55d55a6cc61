import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ApiError } from '../errors.js';
import { cursorAfter, readCursor, readIdCursor, wantsKeyset, type KeysetParams } from './keyset.js';

const BY_ID = { orderBy: 'id', sorts: ['desc'], isOffered: true } as const;

function refusalOf(work: () => unknown): Pick<ApiError, 'status' | 'body'> {
  try {
    work();
  } catch (error) {
    const { status, body } = error as ApiError;
    return { status, body };
  }
  throw new Error('nothing was refused');
}

function encode(content: string): string {
  return Buffer.from(content).toString('base64url');
}

describe('cursors', () => {
  it('lead after the last row of the page, in the format of API v4', () => {
    expect(cursorAfter([{ id: 3 }, { id: 42 }], ['id'])).toEqual({
      cursor: encode('{"id":"42","_kd":"n"}'),
    });
    expect(readIdCursor(encode('{"id":"42","_kd":"n"}'))).toBe(42);
  });

  it('end with an empty page', () => {
    expect(cursorAfter([], ['id'])).toBeNull();
    expect([undefined, null, ''].map(readIdCursor)).toEqual([null, null, null]);
  });

  it('survive the way there and back for every name', () => {
    const rows = fc.record({
      id: fc.nat(),
      name: fc.string({ unit: 'grapheme' }).filter((name) => !name.includes('\0')),
    });
    fc.assert(
      fc.property(rows, (row) => {
        const { cursor } = cursorAfter([row], ['name', 'id']) ?? {};
        const position = { name: row.name, id: String(row.id) };
        expect(readCursor(cursor, ['name', 'id'])).toEqual(position);
      }),
    );
  });

  it.each([
    'x',
    'null',
    '[]',
    '42',
    '{"id":"42"}',
    '{"id":"42","_kd":"p"}',
    '{"id":42,"_kd":"n"}',
    '{"id":"-1","_kd":"n"}',
    '{"id":"1e3","_kd":"n"}',
    '{"id":"99999999999999999999","_kd":"n"}',
    '{"name":"x","_kd":"n"}',
  ])('are refused when they hold %s', (content) => {
    expect(refusalOf(() => readIdCursor(encode(content)))).toMatchObject({
      status: 400,
      body: { error: 'cursor is invalid' },
    });
  });

  it('never throw anything but a refusal', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        expect(refusalOf(() => readIdCursor(text)).status).toBe(400);
      }),
    );
  });
});

describe('keyset pagination', () => {
  it.each<[KeysetParams, boolean]>([
    [{}, false],
    [{ pagination: 'offset', order_by: 'name' }, false],
    [{ pagination: 'keyset', order_by: 'id' }, true],
    [{ pagination: 'keyset', order_by: 'id', sort: 'desc' }, true],
  ])('reads %p as %p', (params, expected) => {
    expect(wantsKeyset(params, BY_ID)).toBe(expected);
  });

  it('requires an order', () => {
    expect(refusalOf(() => wantsKeyset({ pagination: 'keyset' }, BY_ID))).toEqual({
      status: 400,
      body: { message: '400 (Bad request) "order_by" not given', error: 'order_by is missing' },
    });
  });

  it.each<[KeysetParams, boolean]>([
    [{ order_by: 'name' }, true],
    [{ order_by: 'id', sort: 'asc' }, true],
    [{ order_by: 'id' }, false],
  ])('is not there for %p when it is offered: %p', (params, isOffered) => {
    const ask = () => wantsKeyset({ pagination: 'keyset', ...params }, { ...BY_ID, isOffered });
    expect(refusalOf(ask)).toEqual({
      status: 405,
      body: { error: 'Keyset pagination is not yet available for this type of request' },
    });
  });
});
