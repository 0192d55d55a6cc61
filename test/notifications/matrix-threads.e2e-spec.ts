import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NotificationKind } from '../../src/core/activity/notifications.repository.js';
import { unique } from '../support/factories.js';
import { makeGitSandbox, type GitSandbox } from '../support/git.js';
import { createIssue } from '../support/issue-factories.js';
import { openMergeRequest, tipOf } from '../support/merge-request-factories.js';
import {
  expected,
  idsOf,
  naming,
  received,
  turnSwitches,
  type Parts,
  type Seat,
} from './matrix-crew.js';
import { DUE_DATE, makeMatrixWorld, type MatrixWorld } from './matrix-world.js';

const TIME_MS = 180_000;

/** All relations except authors, who differ by issue: the actor is the author. */
const RELATIONS = [
  'uninvolved',
  'assignee',
  'reviewer',
  'commenter',
  'mentioned',
  'mentioned before',
  'added',
  'removed',
  'subscriber',
  'unsubscribed and mentioned',
] as const;

/** Relations to an issue when all but those mentioned later have participated. */
const SETTLED: Parts = {
  assignee: 'assignee',
  commenter: 'commenter',
  'mentioned before': 'mentioned before',
  removed: 'assignee',
  subscriber: 'subscriber',
  'unsubscribed and mentioned': 'unsubscribed author',
};
const NAMED: Parts = {
  mentioned: 'mentioned',
  'unsubscribed and mentioned': 'unsubscribed and mentioned',
};
const SETTLED_AND_NAMED: Parts = { ...SETTLED, mentioned: 'mentioned before' };

let world: MatrixWorld;
let crew: Seat[];
let git: GitSandbox;
beforeAll(async () => {
  git = await makeGitSandbox();
  world = await makeMatrixWorld(RELATIONS);
  ({ crew } = world);
}, TIME_MS);
afterAll(() => Promise.all([world.close(), git.remove()]));

/** Comments, subscribes and unsubscribes. */
async function takePart(path: string): Promise<void> {
  await world.all('commenter', (seat) => world.post(`${path}/notes`, { body: 'Well said.' }, seat));
  await world.all('subscriber', (seat) => world.choose(`${path}/subscribe`, seat));
  await world.all('unsubscribed and mentioned', async (seat) => {
    await world.choose(`${path}/subscribe`, seat);
    await world.choose(`${path}/unsubscribe`, seat);
  });
}

/** Commits a file to a clone and pushes it to the branch, with git. */
async function pusherOf(branch: string): Promise<(file: string) => Promise<string>> {
  const url = new URL(`${world.app.url}/${world.project.fullPath}.git`);
  Object.assign(url, { username: 'oauth2', password: world.actor.token });
  await git.run(['clone', '--quiet', url.href, branch]);
  return async (file) => {
    await git.commit(branch, file, 'x\n');
    return git.run(['push', '--quiet', 'origin', `HEAD:${branch}`], branch);
  };
}

const nameAgain = (): string => `${naming(crew, 'mentioned before')} ${nameAll()}`;
const nameAll = (): string => naming(crew, 'mentioned', 'unsubscribed and mentioned');

describe('who gets a mail over SMTP, by level and by what they have to do with it', () => {
  it(
    'of what happens to an issue',
    async () => {
      let path = '';
      const change = (body: object) => () => world.put(path, body);
      const about = (kind: NotificationKind) => [kind, 'issue'] as const;
      const isNew = { assignee: 'assignee', removed: 'assignee' } as const;
      const named = { 'mentioned before': 'mentioned before' } as const;
      await world.tells(about('new_issue'), { ...isNew, ...named }, async () => {
        const { iid } = await createIssue(world.actor.api, world.project, {
          description: naming(crew, 'mentioned before'),
          assignee_ids: idsOf(crew, 'assignee', 'removed'),
        });
        path = `${world.base}/issues/${iid}`;
      });
      await world.watch.settle(() => takePart(path));
      const milestone = { milestone_id: await world.makeMilestone() };
      await world.tells(about('change_milestone_issue'), SETTLED, change(milestone));
      await world.tells(about('close_issue'), SETTLED, change({ state_event: 'close' }));
      await world.tells(about('reopen_issue'), SETTLED, change({ state_event: 'reopen' }));
      await world.put(path, { due_date: DUE_DATE });
      await world.tells(about('issue_due'), SETTLED, world.tellDue);
      await world.tells(about('new_note'), { ...SETTLED, ...NAMED }, () =>
        world.post(`${path}/notes`, { body: nameAll() }),
      );
      await world.tells(about('mention_in_issue'), NAMED, change({ description: nameAgain() }));
      const moved = { ...SETTLED_AND_NAMED, added: 'added', removed: 'removed' } as const;
      const assigned = { assignee_ids: idsOf(crew, 'assignee', 'added') };
      await world.tells(about('reassign_issue'), moved, change(assigned));
    },
    TIME_MS,
  );

  it(
    'of what happens to a merge request',
    async () => {
      const branch = unique('topic');
      const push = await pusherOf(branch);
      await push('b.txt');
      let path = '';
      const change = (body: object) => () => world.put(path, body);
      const about = (kind: NotificationKind) => [kind, 'merge_request'] as const;
      const asked = { assignee: 'assignee', reviewer: 'reviewer', removed: 'assignee' } as const;
      const named = { 'mentioned before': 'mentioned before' } as const;
      await world.tells(about('new_merge_request'), { ...asked, ...named }, async () => {
        const { iid } = await openMergeRequest(world.actor.api, world.project, {
          source_branch: branch,
          description: naming(crew, 'mentioned before'),
          assignee_ids: idsOf(crew, 'assignee', 'removed'),
          reviewer_ids: idsOf(crew, 'reviewer', 'removed'),
        });
        path = `${world.base}/merge_requests/${iid}`;
      });
      await world.watch.settle(() => takePart(path));
      const settled: Parts = { ...SETTLED, reviewer: 'reviewer' };
      const milestone = { milestone_id: await world.makeMilestone() };
      await world.tells(about('change_milestone_merge_request'), settled, change(milestone));
      await world.tells(about('push_to_merge_request'), settled, () => push('c.txt'));
      await world.tells(about('close_merge_request'), settled, change({ state_event: 'close' }));
      await world.tells(about('reopen_merge_request'), settled, change({ state_event: 'reopen' }));
      await world.tells(about('new_note'), { ...settled, ...NAMED }, () =>
        world.post(`${path}/notes`, { body: nameAll() }),
      );
      await world.tells(
        about('mention_in_merge_request'),
        NAMED,
        change({ description: nameAgain() }),
      );
      const later: Parts = { ...settled, mentioned: 'mentioned before' };
      const moved: Parts = { ...later, added: 'added', removed: 'removed' };
      const [assignees, reviewers] = [
        idsOf(crew, 'assignee', 'added'),
        idsOf(crew, 'reviewer', 'added'),
      ];
      await world.tells(
        about('reassign_merge_request'),
        moved,
        change({ assignee_ids: assignees }),
      );
      const reviewed = change({ reviewer_ids: reviewers });
      await world.tells(about('change_reviewer_merge_request'), moved, reviewed);
      const last: Parts = { ...later, added: 'assignee', removed: 'uninvolved' };
      const state = async (word: string) =>
        world.post(`${world.base}/statuses/${await tipOf(world.app, world.project, branch)}`, {
          state: word,
        });
      await state('running');
      const wish = () => world.put(`${path}/merge`, { merge_when_pipeline_succeeds: true });
      await world.tells(about('merge_when_pipeline_succeeds'), last, wish);
      // The user who enabled auto-merge does not count as the actor.
      const people = [...crew, { ...world.actor, level: 'watch', relation: 'keeper' } as const];
      await turnSwitches(world.app, crew, 'merge_merge_request');
      const mails = await world.watch.mailsOf('merge_merge_request', () => state('success'));
      expect(received(mails, people)).toEqual(
        [
          ...expected(crew, about('merge_merge_request'), last),
          'keeper, watch: no reason',
        ].toSorted(),
      );
    },
    TIME_MS,
  );
});
