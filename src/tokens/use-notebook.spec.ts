import { describe, expect, it } from '@jest/globals';
import { UseNotebook } from './use-notebook.js';

describe('a notebook of uses', () => {
  const make = (): UseNotebook => new UseNotebook(600, 60);

  it('takes the time of a token once per precision and an address once per shorter one', () => {
    const notebook = make();
    expect(notebook.note({ tokenId: 1, ip: 'a' }, 1_000)).toBe(true);
    expect(notebook.note({ tokenId: 1, ip: 'b' }, 1_059)).toBe(false);
    expect(notebook.take()).toEqual({ tokenIds: [1], addresses: [{ tokenId: 1, ip: 'a' }] });

    expect(notebook.note({ tokenId: 1, ip: 'b' }, 1_060)).toBe(true);
    expect(notebook.take()).toEqual({ tokenIds: [], addresses: [{ tokenId: 1, ip: 'b' }] });

    expect(notebook.note({ tokenId: 1, ip: null }, 1_599)).toBe(false);
    expect(notebook.note({ tokenId: 1, ip: null }, 1_600)).toBe(true);
    expect(notebook.take()).toEqual({ tokenIds: [1], addresses: [] });
  });

  it('keeps tokens apart and is empty after it was read', () => {
    const notebook = make();
    notebook.note({ tokenId: 1, ip: 'a' }, 1_000);
    expect(notebook.note({ tokenId: 2, ip: null }, 1_000)).toBe(true);
    expect(notebook.take().tokenIds).toEqual([1, 2]);
    expect(notebook.take()).toEqual({ tokenIds: [], addresses: [] });
  });
});
