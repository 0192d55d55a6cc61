import { describe, expect, it } from '@jest/globals';
import { ProcessSlots } from './process-slots.js';

type Exchange = Parameters<ProcessSlots['take']>[0];

function exchangeOf(containerId: number, ip: string, userId?: number): Exchange {
  const viewer = userId === undefined ? null : { id: userId };
  return { target: { kind: 'project', containerId }, viewer, request: { ip } } as Exchange;
}

function takeAll(slots: ProcessSlots, one: Exchange): (() => void)[] {
  const taken: (() => void)[] = [];
  for (;;) {
    try {
      taken.push(slots.take(one));
    } catch {
      return taken;
    }
  }
}

describe('slots of Git processes', () => {
  it('are shared between addresses, per repository and in total', () => {
    const slots = new ProcessSlots({ perRepository: 20, total: 100 });
    expect(takeAll(slots, exchangeOf(1, '10.0.0.1'))).toHaveLength(15);
    expect(takeAll(slots, exchangeOf(1, '10.0.0.2'))).toHaveLength(5);
    expect([2, 3, 4].map((id) => takeAll(slots, exchangeOf(id, '10.0.0.1')).length)).toEqual([
      15, 15, 5,
    ]);
    expect(takeAll(slots, exchangeOf(4, '2001:db8::1'))).toHaveLength(15);
    expect(takeAll(slots, exchangeOf(5, '2001:db8::2'))).toHaveLength(15);
  });

  it('are shared between users', () => {
    const slots = new ProcessSlots({ perRepository: 20, total: 100 });
    expect(takeAll(slots, exchangeOf(1, '10.0.0.1', 7))).toHaveLength(15);
    expect(takeAll(slots, exchangeOf(1, '10.0.0.2', 7))).toHaveLength(0);
    expect(takeAll(slots, exchangeOf(1, '10.0.0.2', 8))).toHaveLength(5);
  });

  it('are released only once', () => {
    const slots = new ProcessSlots({ perRepository: 4, total: 8 });
    const [first] = takeAll(slots, exchangeOf(1, '10.0.0.1'));
    first?.();
    first?.();
    expect(takeAll(slots, exchangeOf(1, '10.0.0.1'))).toHaveLength(1);
  });
});
