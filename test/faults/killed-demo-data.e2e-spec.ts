import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { StarterFolder } from '../support/starter.js';

let folder: StarterFolder;
beforeEach(() => {
  folder = new StarterFolder();
});
afterEach(() => folder.remove());

describe('demo data', () => {
  it('is complete, with every action once, although npm start was killed', async () => {
    const first = await folder.start('on');
    await eventually(() => folder.demoActions() > 60, { seconds: 60 });
    first.child.kill('SIGKILL');
    await eventually(() => folder.ownersAlive().length === 0, { seconds: 35 });

    const second = await folder.start('on');

    const isComplete = (): boolean => second.output().includes('The demo data is complete.');
    await eventually(isComplete, { seconds: 90 });
    const [, token = ''] = /token {5}(\S+)/.exec(first.output()) ?? [];
    const get = async <T>(path: string): Promise<T[]> => {
      const headers = { 'PRIVATE-TOKEN': token };
      return (await fetch(`${second.baseUrl}/api/v4${path}`, { headers })).json() as Promise<T[]>;
    };
    const checkout = `/projects/${encodeURIComponent('acme/web-shop/checkout')}`;
    const issues = await get<{ title: string }>(`${checkout}/issues?per_page=100`);
    expect([issues.length, new Set(issues.map(({ title }) => title)).size]).toEqual([15, 15]);
    const moves = await get<{ state: string }>('/project_repository_storage_moves');
    expect(moves.map(({ state }) => state).sort()).toEqual([
      'failed',
      'finished',
      'finished',
      'finished',
      'finished',
    ]);
  }, 240_000);
});
