import { describe, expect, it } from '@jest/globals';
import { packetLength } from './packet-lines.js';
import { refusalReport } from './push-commands.js';

const SIDE_BAND = ['report-status-v2', 'side-band-64k'];

/** Content of each band, in the order of the packets. */
function bandsOf(answer: Buffer): { progress: string; report: string } {
  const bands = { 1: '', 2: '' } as Record<number, string>;
  let at = 0;
  for (;;) {
    const length = packetLength(answer, at) ?? NaN;
    if (length === 0) break;
    expect(length).toBeLessThanOrEqual(65_520);
    const band = answer[at + 4] ?? 0;
    bands[band] += answer.toString('utf8', at + 5, at + length);
    at += length;
  }
  expect(at + 4).toBe(answer.length);
  return { progress: bands[2] ?? '', report: bands[1] ?? '' };
}

describe('the report of a refused push', () => {
  it('names the reason and refuses every ref', () => {
    const refs = ['refs/heads/main', 'refs/heads/ü'];
    const { progress, report } = bandsOf(
      refusalReport({ refs, capabilities: SIDE_BAND }, 'It moves.'),
    );
    expect(progress).toBe('Guildhall: It moves.\n');
    expect(report).toBe(
      '000eunpack ok\n' +
        '0031ng refs/heads/main pre-receive hook declined\n' +
        '002fng refs/heads/ü pre-receive hook declined\n0000',
    );
  });

  it('of thousands of refs takes several packets', () => {
    const refs = Array.from({ length: 5_000 }, (_, index) => `refs/heads/b${index}`);
    const { report } = bandsOf(refusalReport({ refs, capabilities: SIDE_BAND }, 'It moves.'));
    expect(report.match(/ng refs/g)).toHaveLength(5_000);
  });

  it('is plain without side bands, and empty for clients that want none', () => {
    const refs = ['refs/heads/main'];
    const plain = refusalReport({ refs, capabilities: ['report-status'] }, 'It moves.');
    expect(plain.toString()).toMatch(/^000eunpack ok\n/);
    expect(refusalReport({ refs, capabilities: [] }, 'It moves.')).toHaveLength(0);
  });
});
