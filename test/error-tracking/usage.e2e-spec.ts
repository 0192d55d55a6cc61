import { beforeAll, describe, expect, it } from '@jest/globals';
import { makeOutcome } from '../support/error-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeMemberOf } from '../support/project-factories.js';
import { makePlace } from './settings-place.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

describe('usage of error tracking', () => {
  it('counts the outcomes of received data by day', async () => {
    const { project, maintainer, path } = await makePlace(app);
    await makeOutcome(app, project, { quantity: 5 });
    await makeOutcome(app, project, { day: dayBefore(1), outcome: 'refused', reason: 'quota' });
    await makeOutcome(app, project, {
      day: dayBefore(1),
      outcome: 'lost_by_client',
      category: 'session',
      reason: 'network_error',
      quantity: 3,
    });
    const { status, body } = await maintainer.api.get(path('/usage'));
    expect(status).toBe(200);
    expect(body).toEqual([
      { day: dayBefore(1), outcome: 'refused', category: 'error', reason: 'quota', quantity: 1 },
      {
        day: dayBefore(1),
        outcome: 'lost_by_client',
        category: 'session',
        reason: 'network_error',
        quantity: 3,
      },
      { day: dayBefore(0), outcome: 'accepted', category: 'error', reason: '', quantity: 5 },
    ]);
  });

  it('looks back for 30 days, or for as many as are asked for', async () => {
    const { project, maintainer, path } = await makePlace(app);
    for (const days of [0, 29, 30, 89, 90])
      await makeOutcome(app, project, { day: dayBefore(days) });
    const daysOf = async (query: string): Promise<string[]> => {
      const { body } = await maintainer.api.get(path(`/usage${query}`));
      return (body as { day: string }[]).map(({ day }) => day);
    };
    expect(await daysOf('')).toEqual([dayBefore(29), dayBefore(0)]);
    expect(await daysOf('?days=1')).toEqual([dayBefore(0)]);
    expect(await daysOf('?days=90')).toHaveLength(4);
  });

  it.each(['0', '91', '-1'])('refuses to look back for %s days', async (days) => {
    const { maintainer, path } = await makePlace(app);
    const { status, body } = await maintainer.api.get(path(`/usage?days=${days}`));
    expect([status, body]).toMatchObject([400, { error: 'days has a value not allowed' }]);
  });

  it('excludes other projects, and is hidden from developers', async () => {
    const other = await makePlace(app);
    await makeOutcome(app, other.project, {});
    const { project, maintainer, path } = await makePlace(app);
    expect((await maintainer.api.get(path('/usage'))).body).toEqual([]);
    const developer = await makeMemberOf(app, project, 'developer');
    expect((await developer.api.get(path('/usage'))).status).toBe(403);
  });
});
