import { describe, expect, it } from '@jest/globals';
import type { AuditEventRow } from './audit-events.repository.js';
import { presentAuditEvent, type AuditDetailsResponse } from './audit-event.presenter.js';

function detailsOf(details: Record<string, unknown>): Partial<AuditDetailsResponse> {
  const row: AuditEventRow = {
    id: 1,
    authorId: null,
    authorName: null,
    impersonatorId: null,
    impersonatorName: null,
    action: 'thing_changed',
    targetType: 'Thing',
    targetId: null,
    targetName: null,
    entityType: 'Instance',
    entityId: null,
    entityPath: null,
    ipAddress: null,
    details,
    createdAt: new Date(0),
  };
  return presentAuditEvent(row).details;
}

describe('the details of an audit event', () => {
  it('name the change when there is one only', () => {
    const one = { size: { from: 1, to: 2 } };
    expect(detailsOf(one)).toMatchObject({ change: 'size', from: 1, to: 2, changes: one });
    const two = detailsOf({ ...one, name: { from: 'a', to: 'b' } });
    expect(two).not.toHaveProperty('change');
    expect(Object.keys(two.changes ?? {})).toEqual(['size', 'name']);
  });

  it('separates changes from facts', () => {
    const { changes, facts } = detailsOf({ kind: 'project', size: { from: null, to: 2 } });
    expect(changes).toEqual({ size: { from: null, to: 2 } });
    expect(facts).toEqual({ kind: 'project' });
  });

  it.each([
    ['text', 'text'],
    [7, 7],
    [false, false],
    [null, null],
    [
      ['a', 1],
      ['a', 1],
    ],
    [[['a']], '[["a"]]'],
    [{ default: 100 }, '{"default":100}'],
    [{ from: 1, to: 2, by: 3 }, '{"from":1,"to":2,"by":3}'],
  ])('write %j as %j', (value, written) => {
    expect(detailsOf({ value }).facts).toEqual({ value: written });
  });
});
