import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AnonymizedAuthor } from '../../src/core/activity/event.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventKeeping } from '../support/event-keeping.js';
import { makeAdmin, makeUser, type MadeActor } from '../support/factories.js';

let app: OwnTestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await startTestApp();
  admin = await makeAdmin(app);
});
afterAll(() => app.close());

const never = (): boolean => false;

/** Over two months, many of them at the same moment. */
async function recordMany(authorId: number, count: number): Promise<void> {
  await app.dataSource.query(
    `INSERT INTO events (project_id, author_id, action, target_type, target_id, created_at)
     SELECT 1, $1, 1, 5, 1, now() - (n % 4) * interval '10 days' FROM generate_series(1, $2) n`,
    [authorId, count],
  );
}

async function eventsOf(authorId: number): Promise<number> {
  const [row] = await app.dataSource.query<{ count: number }[]>(
    'SELECT count(*)::int AS count FROM events WHERE author_id = $1',
    [authorId],
  );
  return row?.count ?? 0;
}

function waiting(authorId: number): Promise<boolean> {
  return app.dataSource.manager.existsBy(AnonymizedAuthor, { authorId });
}

async function deleteUser(id: number): Promise<void> {
  await admin.api.delete(`/users/${id}`).expect(204);
}

/** As if the user had been deleted two hours ago. */
async function letTimePass(): Promise<void> {
  await app.dataSource.query(`UPDATE erased_authors SET created_at = now() - interval '2 hours'`);
}

describe('the events of a deleted user', () => {
  it('are erased in batches; who is stopped in between goes on where it was', async () => {
    const [gone, other] = [await makeUser(app), await makeUser(app)];
    await recordMany(gone.id, 25_000);
    await recordMany(other.id, 10);
    await deleteUser(gone.id);
    await letTimePass();
    expect(await waiting(gone.id)).toBe(true);

    const { anonymizedAuthors } = eventKeeping(app);
    let asked = 0;
    expect(await anonymizedAuthors.run(() => asked++ > 0)).toBe(10_000);
    expect(await eventsOf(gone.id)).toBe(15_000);
    expect(await waiting(gone.id)).toBe(true);

    expect(await anonymizedAuthors.run(never)).toBe(15_000);
    expect(await eventsOf(gone.id)).toBe(0);
    expect(await waiting(gone.id)).toBe(false);
    expect(await eventsOf(other.id)).toBe(10);
  });

  it('are erased once by several workers', async () => {
    const users = [await makeUser(app), await makeUser(app), await makeUser(app)];
    for (const { id } of users) {
      await recordMany(id, 11_000);
      await deleteUser(id);
    }
    const runs = [1, 2, 3].map(() => eventKeeping(app).anonymizedAuthors.run(never));
    const counts = await Promise.all(runs);
    const rest = await eventKeeping(app).anonymizedAuthors.run(never);
    expect(counts.reduce((sum, one) => sum + one, rest)).toBe(33_000);
    for (const { id } of users) expect(await eventsOf(id)).toBe(0);
  });

  it('include those that were still under way when the user was deleted', async () => {
    const user = await makeUser(app);
    await deleteUser(user.id);
    const { anonymizedAuthors } = eventKeeping(app);
    await anonymizedAuthors.run(never);
    expect(await waiting(user.id)).toBe(true);
    await recordMany(user.id, 1);
    await letTimePass();
    await anonymizedAuthors.run(never);
    expect(await eventsOf(user.id)).toBe(0);
    expect(await waiting(user.id)).toBe(false);
  });
});
