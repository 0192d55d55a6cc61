import { describe, expect, it } from '@jest/globals';
import { TokenUseBuffer } from './token-usage.service.js';

describe('a buffer of uses', () => {
  const make = (): TokenUseBuffer => new TokenUseBuffer(600, 60);

  it('takes the time of a token once per precision and an address once per shorter one', () => {
    const buffer = make();
    expect(buffer.note({ tokenId: 1, ip: 'a' }, 1_000)).toBe(true);
    expect(buffer.note({ tokenId: 1, ip: 'b' }, 1_059)).toBe(false);
    expect(buffer.take()).toEqual({ tokenIds: [1], addresses: [{ tokenId: 1, ip: 'a' }] });

    expect(buffer.note({ tokenId: 1, ip: 'b' }, 1_060)).toBe(true);
    expect(buffer.take()).toEqual({ tokenIds: [], addresses: [{ tokenId: 1, ip: 'b' }] });

    expect(buffer.note({ tokenId: 1, ip: null }, 1_599)).toBe(false);
    expect(buffer.note({ tokenId: 1, ip: null }, 1_600)).toBe(true);
    expect(buffer.take()).toEqual({ tokenIds: [1], addresses: [] });
  });

  it('keeps tokens apart and is empty after it was read', () => {
    const buffer = make();
    buffer.note({ tokenId: 1, ip: 'a' }, 1_000);
    expect(buffer.note({ tokenId: 2, ip: null }, 1_000)).toBe(true);
    expect(buffer.take().tokenIds).toEqual([1, 2]);
    expect(buffer.take()).toEqual({ tokenIds: [], addresses: [] });
  });
});
