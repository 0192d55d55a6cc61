import { afterAll, beforeAll, describe, it } from '@jest/globals';
import type { Subscription } from '../../src/workspace/subscriptions/subscriptions.repository.js';
import { unique } from '../support/factories.js';
import { tipOf } from '../support/merge-request-factories.js';
import { makeSubscription } from '../support/recipient-factories.js';
import { naming, those, type Parts, type Seat } from './matrix-crew.js';
import { makeMatrixWorld, type MatrixWorld } from './matrix-world.js';

const TIME_MS = 180_000;

const RELATIONS = [
  'uninvolved',
  'commenter',
  'mentioned',
  'mentioned before',
  'subscriber',
  'unsubscribed and mentioned',
  'runner',
  'keeper',
] as const;

/** Relations to noteables without assignees and description. */
const COMMENTED: Parts = {
  commenter: 'commenter',
  'mentioned before': 'commenter',
  subscriber: 'subscriber',
  mentioned: 'mentioned',
  'unsubscribed and mentioned': 'unsubscribed and mentioned',
};

let world: MatrixWorld;
let crew: Seat[];
beforeAll(async () => {
  world = await makeMatrixWorld(RELATIONS);
  ({ crew } = world);
}, TIME_MS);
afterAll(() => world.close());

/** Sets subscriptions, which issues and merge requests offer through the API only. */
async function decide(thread: Partial<Subscription>): Promise<void> {
  await world.all('subscriber', ({ user }) => makeSubscription(world.app, user, thread));
  const declined = { ...thread, subscribed: false };
  await world.all('unsubscribed and mentioned', ({ user }) =>
    makeSubscription(world.app, user, declined),
  );
}

const nameAll = (): string => naming(crew, 'mentioned', 'unsubscribed and mentioned');

describe('who gets a mail over SMTP, by level and by what they have to do with it', () => {
  it('of comments on a snippet', async () => {
    const file = { file_path: 'a.txt', content: 'a\n' };
    const snippet = { title: unique('Snippet '), visibility: 'private', files: [file] };
    const { body } = await world.actor.api.post(`${world.base}/snippets`, snippet).expect(201);
    const { id: snippetId } = body as { id: number };
    const notes = `${world.base}/snippets/${snippetId}/notes`;
    await decide({ snippetId });
    await world.watch.settle(async () => {
      await world.all('commenter', (seat) => world.post(notes, { body: 'Well said.' }, seat));
      await world.post(notes, { body: naming(crew, 'mentioned before') });
    });
    await world.tells(['new_note', 'snippet'], COMMENTED, () =>
      world.post(notes, { body: nameAll() }),
    );
  });

  it('of comments on a commit', async () => {
    const commitSha = (await tipOf(world.app, world.project, 'main')) ?? '';
    const comments = `${world.base}/repository/commits/${commitSha}/comments`;
    await decide({ commitProjectId: world.project.id, commitSha });
    await world.watch.settle(async () => {
      await world.all('commenter', (seat) => world.post(comments, { note: 'Well said.' }, seat));
      await world.post(comments, { note: naming(crew, 'mentioned before') });
    });
    await world.tells(['new_note', 'commit'], COMMENTED, () =>
      world.post(comments, { note: nameAll() }),
    );
  });

  it('of pipelines: only who ran it', async () => {
    const sha = await tipOf(world.app, world.project, 'main');
    const run = (state: string, ref: string) =>
      world.all('runner', (seat) =>
        world.post(`${world.base}/statuses/${sha}`, { state, ref: `${ref}-${seat.user.id}` }, seat),
      );
    const isOf = { runner: 'runner' } as const;
    const count = those(crew, 'runner').length;
    await world.tells(['failed_pipeline', 'pipeline', count], isOf, () => run('failed', 'a'));
    await world.tells(['fixed_pipeline', 'pipeline', count], isOf, () => run('success', 'a'));
    await world.tells(['success_pipeline', 'pipeline', count], isOf, () => run('success', 'b'));
  });

  it('of a project that has moved: its Maintainers', async () => {
    await world.tells(['moved_project', 'project'], { keeper: 'keeper' }, () =>
      world.put(world.base, { path: unique('moved') }),
    );
  });
});
