import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MoveStatisticsRepository } from '../../src/storage-moves/move-statistics.repository.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeUser } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeVisitor, type PageClient } from '../support/page-client.js';
import { makeMovableProject } from '../support/storage-move-factories.js';

const PATH = '/admin/storage_moves';

let app: OwnTestApp;
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
  const finder = app.app.get(MoveStatisticsRepository, { strict: false });
  const read = finder.listAll.bind(finder);
  const list: typeof read = async (...asked) => {
    const rows = await read(...asked);
    Object.assign(finder, { listAll: read });
    await between();
    return rows;
  };
  Object.assign(finder, { listAll: list });
}

/** Runs `between` once, before the next page reads the batches and after it has read the rest. */
function beforeBatchesAreRead(between: () => Promise<unknown>): void {
  const queue = app.app.get(MoveStatisticsRepository, { strict: false });
  const [open, batches] = [queue.countOpen.bind(queue), queue.listBatches.bind(queue)];
  let opened: Promise<unknown> = Promise.resolve();
  const first: typeof open = () => {
    const counted = open();
    opened = counted;
    return counted;
  };
  const last: typeof batches = async (limit) => {
    Object.assign(queue, { countOpen: open, listBatches: batches });
    await opened;
    await between();
    return batches(limit);
  };
  Object.assign(queue, { countOpen: first, listBatches: last });
}

/** A request to empty the storage, all of whose moves have been scheduled: a single one. */
async function makeBatch(): Promise<void> {
  const project = await makeMovableProject(app, await makeUser(app));
  const [batch] = await app.dataSource.query<{ id: number }[]>(
    `INSERT INTO storage_move_batches (kind, source_storage_name, destination_storage_name,
       scheduled_count, finished_at) VALUES ('project', 'default', 'storage2', 1, now())
     RETURNING id`,
  );
  await app.dataSource.query(
    `INSERT INTO project_repository_storage_moves (project_id, state, source_storage_name,
       destination_storage_name, phase, batch_id)
     VALUES ($1, 'scheduled', 'default', 'storage2', 'queued', $2)`,
    [project.id, batch?.id],
  );
}

describe('the live part of the moves', () => {
  it('asks again soon when the last move ended while it was being read', async () => {
    const path = await scheduledMove();
    afterMovesAreRead(() => pages.post(`${path}/cancel`).expect(303));
    const stale = await pages.get(`${PATH}/live`).expect(200);
    expect(textOf(stale.text)).toContain('Queued');
    expect(stale.text).toContain('hx-trigger="every 2s"');
    const { text } = await pages.get(`${PATH}/live`).expect(200);
    expect(textOf(text)).toContain('Cancelled by');
    expect(text).toContain('hx-trigger="every 15s"');
  });

  it('asks again soon when the first move began while it was being read', async () => {
    beforeBatchesAreRead(makeBatch);
    const { text } = await pages.get(`${PATH}/live`).expect(200);
    expect(textOf(text)).not.toContain('queued');
    expect(textOf(text)).toContain('Draining default → storage2 0 of 1');
    expect(text).toContain('hx-trigger="every 2s"');
  });

  it('waits for no move of a batch whose container was deleted', async () => {
    await makeBatch();
    await app.dataSource.query('DELETE FROM projects');
    const { text } = await pages.get(`${PATH}/live`).expect(200);
    expect(textOf(text)).toContain('Done');
    expect(text).toContain('hx-trigger="every 15s"');
  });
});
