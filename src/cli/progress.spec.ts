import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Progress } from './progress.js';

const SECONDS = 36_000;
const MEBIBYTES_PER_SECOND = 900;

const { isTTY, columns } = process.stderr;
let written: string[];
let write: { mockRestore: () => void };
beforeEach(() => {
  Object.assign(process.stderr, { isTTY: true, columns: 80 });
  written = [];
  write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
});
afterEach(() => {
  write.mockRestore();
  Object.assign(process.stderr, { isTTY, columns });
});

describe('Progress on a terminal', () => {
  it.each([
    ['Repositories', 3_000_000],
    ['Database', 9],
  ])('shows the whole line of %s within 80 columns', (stage, total) => {
    const progress = new Progress({ stderr: () => undefined, isTerminal: true }, false);
    progress.begin(stage, total, 'units');
    const later = Date.now() + SECONDS * 1_000;
    const now = jest.spyOn(Date, 'now').mockReturnValue(later);
    progress.addBytes(SECONDS * MEBIBYTES_PER_SECOND * 1024 * 1024);
    progress.advance(total / 3);
    progress.end();
    now.mockRestore();
    const lines = written.filter((text) => text.startsWith(`${stage} `));
    expect(lines.at(-1)).toMatch(/ \| \d{5}\.\d GiB \| \d{3}\.\d MiB\/s \| ETA \d\dh\d+m$/);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});
