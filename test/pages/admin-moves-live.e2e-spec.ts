import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MoveFinder } from '../../src/storage-moves/move-finder.service.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { makeUser } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeVisitor, type PageClient } from '../support/page-client.js';
import { makeMovableProject } from '../support/storage-move-factories.js';

const PATH = '/admin/storage_moves';

let app: TestApp;
let pages: PageClient;
beforeAll(async () => {
  app = await startTestApp();
  ({ pages } = await makeVisitor(app, { admin: true }));
});
afterAll(() => app.close());

/** Schedules the only move there is, and answers the path of its page. */
async function scheduledMove(): Promise<string> {
  const project = await makeMovableProject(app, await makeUser(app));
  const container = String(project.id);
  const form = { kind: 'project', container, destination_storage_name: 'storage2' };
  const { headers } = await pages.post(PATH, form).expect(303);
  return headers['location'] ?? '';
}

/** Runs `between` once, after the next page has read its moves and before it reads the rest. */
function afterMovesAreRead(between: () => Promise<unknown>): void {
  const finder = app.app.get(MoveFinder, { strict: false });
  const read = finder.list.bind(finder);
  const list: typeof read = async (...asked) => {
    const rows = await read(...asked);
    Object.assign(finder, { list: read });
    await between();
    return rows;
  };
  Object.assign(finder, { list });
}

describe('the live part of the moves', () => {
  it('asks again soon when the last move ended while it was being read', async () => {
    const path = await scheduledMove();
    afterMovesAreRead(() => pages.post(`${path}/cancel`).expect(303));
    const stale = await pages.get(`${PATH}/live`).expect(200);
    expect(textOf(stale.text)).toContain('Waiting');
    expect(stale.text).toContain('hx-trigger="every 2s"');
    const { text } = await pages.get(`${PATH}/live`).expect(200);
    expect(textOf(text)).toContain('Cancelled by');
    expect(text).toContain('hx-trigger="every 15s"');
  });
});
