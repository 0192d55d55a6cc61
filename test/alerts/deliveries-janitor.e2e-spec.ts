import { beforeAll, expect, it } from '@jest/globals';
import {
  AlertDeliveriesRepository,
  AlertDelivery,
} from '../../src/alerts/alert-deliveries.repository.js';
import { DeliveryJanitor } from '../../src/alerts/worker/alert-maintenance.service.js';
import { Clock } from '../../src/core/clock.js';
import { makeIntegration } from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeGroup, makeProject } from '../support/project-factories.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

async function integrationWith(deliveries: number, age: string): Promise<number> {
  const { id: namespaceId } = await makeGroup(app);
  const { id } = await makeIntegration(app, await makeProject(app, { namespaceId }));
  await app.dataSource.query(
    `INSERT INTO alert_deliveries (integration_id, status, size, created_at)
     SELECT $1, 200, n, now() - $3::interval FROM generate_series(1, $2::integer) AS n`,
    [id, deliveries, age],
  );
  return id;
}

/** Sizes of what is kept: they count the deliveries of an integration. */
async function keptOf(integrationId: number): Promise<number[]> {
  const rows = await app.dataSource.manager.find(AlertDelivery, {
    where: { integrationId },
    order: { id: 'ASC' },
  });
  return rows.map(({ size }) => size);
}

it('keeps the newest deliveries of each integration, and none of last month', async () => {
  const busy = await integrationWith(2_500, '1 hour');
  const calm = await integrationWith(200, '29 days');
  const old = await integrationWith(3, '31 days');
  await app.dataSource.query(
    'INSERT INTO alert_deliveries (integration_id, status, size) VALUES ($1, 200, 4)',
    [old],
  );

  const janitor = new DeliveryJanitor(app.app.get(AlertDeliveriesRepository), new Clock());
  expect(await janitor.run(() => false)).toBe(2_303);

  expect(await keptOf(busy)).toEqual(Array.from({ length: 200 }, (_, index) => 2_301 + index));
  expect(await keptOf(calm)).toHaveLength(200);
  expect(await keptOf(old)).toEqual([4]);
  expect(await janitor.run(() => false)).toBe(0);
});
