import { describe, expect, it } from '@jest/globals';
import { GitProcessLimits } from './git-process-limits.js';

type Exchange = Parameters<GitProcessLimits['acquire']>[0];

function exchangeOf(containerId: number, ip: string, userId?: number): Exchange {
  const viewer = userId === undefined ? null : { id: userId };
  return { target: { kind: 'project', containerId }, viewer, request: { ip } } as Exchange;
}

function acquireAll(limits: GitProcessLimits, one: Exchange): (() => void)[] {
  const releases: (() => void)[] = [];
  for (;;) {
    try {
      releases.push(limits.acquire(one));
    } catch {
      return releases;
    }
  }
}

describe('GitProcessLimits', () => {
  it('are shared between addresses, per repository and in total', () => {
    const limits = new GitProcessLimits({ perRepository: 20, total: 100 });
    expect(acquireAll(limits, exchangeOf(1, '10.0.0.1'))).toHaveLength(15);
    expect(acquireAll(limits, exchangeOf(1, '10.0.0.2'))).toHaveLength(5);
    expect([2, 3, 4].map((id) => acquireAll(limits, exchangeOf(id, '10.0.0.1')).length)).toEqual([
      15, 15, 5,
    ]);
    expect(acquireAll(limits, exchangeOf(4, '2001:db8::1'))).toHaveLength(15);
    expect(acquireAll(limits, exchangeOf(5, '2001:db8::2'))).toHaveLength(15);
  });

  it('are shared between users', () => {
    const limits = new GitProcessLimits({ perRepository: 20, total: 100 });
    expect(acquireAll(limits, exchangeOf(1, '10.0.0.1', 7))).toHaveLength(15);
    expect(acquireAll(limits, exchangeOf(1, '10.0.0.2', 7))).toHaveLength(0);
    expect(acquireAll(limits, exchangeOf(1, '10.0.0.2', 8))).toHaveLength(5);
  });

  it('are released only once', () => {
    const limits = new GitProcessLimits({ perRepository: 4, total: 8 });
    const [first] = acquireAll(limits, exchangeOf(1, '10.0.0.1'));
    first?.();
    first?.();
    expect(acquireAll(limits, exchangeOf(1, '10.0.0.1'))).toHaveLength(1);
  });
});
