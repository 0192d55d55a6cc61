import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ErrorOutcomes } from '../../src/error-tracking/ingest/error-outcomes.service.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { incomingEvent, ingest, makeSource } from '../support/error-ingest.js';
import { eventually } from '../support/eventually.js';

const METRICS_TOKEN = 'only-for-tests-only-for-tests-only-for-tests';

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { METRICS_TOKEN } });
});
afterAll(() => app.close());

const QUOTA = { category: 'error', reason: 'quota' };

interface Row {
  outcome: number;
  category: string;
  reason: string;
  quantity: number;
}

function outcomesOf({ projectId }: { projectId: number }): Promise<Row[]> {
  return app.dataSource.query(
    `SELECT outcome, category, reason, quantity::int FROM error_outcomes
     WHERE project_id = $1 ORDER BY outcome, category, reason`,
    [projectId],
  );
}

describe('outcomes', () => {
  it('are added up within seconds, without those of projects that are gone', async () => {
    const [source, gone] = [await makeSource(app), await makeSource(app)];
    await app.dataSource.query('DELETE FROM projects WHERE id = $1', [gone.projectId]);
    const outcomes = app.app.get(ErrorOutcomes, { strict: false });
    const dropped = { category: 'transaction', reason: 'not_stored' };
    const lost = { category: 'error', reason: 'queue_overflow' };
    outcomes.count(source.projectId, 'dropped', dropped);
    outcomes.count(source.projectId, 'dropped', { ...dropped, quantity: 2 });
    outcomes.count(source.projectId, 'lost_by_client', { ...lost, quantity: 7 });
    outcomes.count(gone.projectId, 'refused', QUOTA);
    await eventually(async () => expect(await outcomesOf(source)).toHaveLength(2));
    outcomes.count(source.projectId, 'lost_by_client', { ...lost, quantity: 3 });
    await eventually(async () => {
      expect(await outcomesOf(source)).toEqual([
        { outcome: 1, category: 'transaction', reason: 'not_stored', quantity: 3 },
        { outcome: 3, category: 'error', reason: 'queue_overflow', quantity: 10 },
      ]);
    });
    expect(await outcomesOf(gone)).toEqual([]);
  });

  it('are metrics, with batch sizes and queue length', async () => {
    const source = await makeSource(app);
    const event = incomingEvent('watched');
    await ingest(app, source, [event, event]);
    app.app.get(ErrorOutcomes, { strict: false }).count(source.projectId, 'refused', QUOTA);
    const response = await fetch(`${app.url}/-/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    const lines = (await response.text()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'guildhall_error_events_total{outcome="stored"} 1',
        'guildhall_error_events_total{outcome="duplicate"} 1',
        'guildhall_error_batch_size_sum 2',
        'guildhall_error_waiting_bytes 0',
      ]),
    );
    const refused = lines.filter((line) => line.includes('reason="quota"'));
    expect(refused).toHaveLength(1);
  });
});
