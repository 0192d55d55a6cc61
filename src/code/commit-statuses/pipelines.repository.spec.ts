import { describe, expect, it } from '@jest/globals';
import type { CommitState } from '../repository/commit-states.js';
import { changeProblem } from './commit-statuses.service.js';
import { pipelineStatus } from './pipelines.repository.js';

const of = (...states: CommitState[]): CommitState =>
  pipelineStatus(states.map((state) => ({ state, allowFailure: false })));

describe('the status of a pipeline', () => {
  it('is that of the only status', () => {
    for (const state of ['pending', 'running', 'success', 'failed', 'canceled'] as const) {
      expect(of(state)).toBe(state);
    }
    expect(of('skipped')).toBe('skipped');
  });

  it('is running until all statuses have ended, failed ones included', () => {
    expect(of('failed', 'running')).toBe('running');
    expect(of('success', 'pending')).toBe('running');
    expect(of('pending', 'skipped')).toBe('pending');
  });

  it('is the worst of what has ended', () => {
    expect(of('success', 'failed', 'canceled')).toBe('failed');
    expect(of('success', 'canceled', 'skipped')).toBe('canceled');
    expect(of('success', 'skipped')).toBe('success');
  });

  it('leaves failures aside that are allowed', () => {
    const allowed = { state: 'failed', allowFailure: true } as const;
    expect(pipelineStatus([allowed])).toBe('success');
    expect(pipelineStatus([allowed, { state: 'failed', allowFailure: false }])).toBe('failed');
  });
});

describe('a report', () => {
  it('follows what has not gone further', () => {
    expect(changeProblem('created', 'skipped')).toBeNull();
    expect(changeProblem('pending', 'running')).toBeNull();
    expect(changeProblem('running', 'failed')).toBeNull();
  });

  it('is refused in the words of v4 otherwise', () => {
    expect(changeProblem('pending', 'pending')).toBe(
      'Cannot transition status via :enqueue from :pending (Reason(s): Status cannot transition via "enqueue")',
    );
    expect(changeProblem('running', 'running')).toMatch(/^Cannot .* via :run from :running /);
    expect(changeProblem('running', 'skipped')).toMatch(/^Cannot .* via :skip from :running /);
  });
});
