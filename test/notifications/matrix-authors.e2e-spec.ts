import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NotificationKind } from '../../src/core/activity/notifications.repository.js';
import type { ReceivedMail } from '../mail/mail-server.js';
import { createIssue } from '../support/issue-factories.js';
import { commitOn, openMergeRequest } from '../support/merge-request-factories.js';
import { makeSetting } from '../support/recipient-factories.js';
import { expected, received, turnSwitches, type Seat } from './matrix-crew.js';
import { DUE_DATE, makeMatrixWorld, type MatrixWorld } from './matrix-world.js';

const TIME_MS = 180_000;

const ID_HEADERS = { issue: 'x-svc-issue-id', merge_request: 'x-svc-mergerequest-id' };
/** Kinds that do not notify watchers. */
const NOT_WATCHED: readonly NotificationKind[] = ['push_to_merge_request', 'issue_due'];
type Target = keyof typeof ID_HEADERS;

/** Something of an author's. */
interface Work {
  id: number;
  path: string;
  branch: string;
  author: Seat;
}

let world: MatrixWorld;
let crew: Seat[];
/** Watches and wants to be told of what they do themselves. */
let actor: Seat;
beforeAll(async () => {
  world = await makeMatrixWorld(['author', 'unsubscribed author']);
  ({ crew } = world);
  actor = { ...world.actor, level: 'watch', relation: 'keeper' };
  await makeSetting(world.app, { user: actor.user }, { ownActivity: true });
}, TIME_MS);
afterAll(() => world.close());

/** The emails about the work of `author`; `isTheirs` = they did it themselves. */
function wanted(kind: NotificationKind, target: Target, { author }: Work): string[] {
  const isTheirs = kind === 'new_issue' || kind === 'new_merge_request';
  const others = crew.filter((seat) => seat !== author);
  const own = { [author.relation]: author.relation };
  const isActorTold = !NOT_WATCHED.includes(kind);
  return [
    ...(isTheirs ? [] : expected([author], [kind, target], own)),
    ...expected(others, [kind, target], {}),
    ...(isActorTold ? [`keeper, watch: ${isTheirs ? 'no reason' : 'own_activity'}`] : []),
  ].toSorted();
}

function branchOf({ id }: { id: number }): string {
  return `of-${id}`;
}

/** Does something to each work; the emails about each are those of the matrix. */
async function tells(
  [kind, target]: readonly [NotificationKind, Target],
  works: readonly Work[],
  act: (work: Work) => Promise<unknown>,
): Promise<void> {
  await turnSwitches(world.app, crew, kind);
  const mails = await world.watch.mailsOf(kind, () => Promise.all(works.map(act)), works.length);
  const people = [...crew, actor];
  for (const work of works) {
    const about = ({ parsed }: ReceivedMail): boolean =>
      parsed.headers.get(ID_HEADERS[target]) === String(work.id);
    expect([kind, received(mails.filter(about), people)]).toEqual([
      kind,
      wanted(kind, target, work),
    ]);
  }
}

/** Everyone makes one; those who do not want to hear of it say so. */
async function begin(
  target: Target,
  make: (work: Work) => Promise<{ id: number; iid: number }>,
): Promise<Work[]> {
  const works = crew.map((author) => {
    return { id: 0, path: '', branch: branchOf(author.user), author };
  });
  const isIssue = target === 'issue';
  const kind = isIssue ? 'new_issue' : 'new_merge_request';
  await tells([kind, target], works, async (work) => {
    const { id, iid } = await make(work);
    const path = `${world.base}/${isIssue ? 'issues' : 'merge_requests'}/${iid}`;
    Object.assign(work, { id, path });
  });
  const declined = works.filter(({ author }) => author.relation === 'unsubscribed author');
  await Promise.all(
    declined.map(({ path, author }) => world.choose(`${path}/unsubscribe`, author)),
  );
  return works;
}

const put = (body: object) => (work: Work) => world.put(work.path, body);
const comment = ({ path }: Work) => world.post(`${path}/notes`, { body: 'Look.' });

describe('who gets a mail over SMTP: authors, and who asked to be told of their own doing', () => {
  it(
    'of what happens to issues',
    async () => {
      const about = (kind: NotificationKind) => [kind, 'issue'] as const;
      const works = await begin('issue', ({ author }) => createIssue(author.api, world.project));
      await tells(about('new_note'), works, comment);
      await tells(about('close_issue'), works, put({ state_event: 'close' }));
      await tells(about('reopen_issue'), works, put({ state_event: 'reopen' }));
      const milestone = { milestone_id: await world.makeMilestone() };
      await tells(about('change_milestone_issue'), works, put(milestone));
      await Promise.all(works.map(put({ due_date: DUE_DATE })));
      const first = works[0];
      await tells(about('issue_due'), works, async (work) => work === first && world.tellDue());
      await tells(about('reassign_issue'), works, put({ assignee_ids: [actor.user.id] }));
    },
    TIME_MS,
  );

  it(
    'of what happens to merge requests',
    async () => {
      const commit = (branch: string, file: string, from?: string) => {
        const files = { [`${branch}/${file}`]: 'x\n' };
        const start = from === undefined ? {} : { from };
        return commitOn(world.app, world.project, { branch, user: actor.user, files, ...start });
      };
      const about = (kind: NotificationKind) => [kind, 'merge_request'] as const;
      for (const { user } of crew) await commit(branchOf(user), 'a.txt', 'main');
      const works = await begin('merge_request', ({ author, branch }) =>
        openMergeRequest(author.api, world.project, { source_branch: branch }),
      );
      await tells(about('new_note'), works, comment);
      await tells(about('push_to_merge_request'), works, ({ branch }) => commit(branch, 'b.txt'));
      await tells(about('close_merge_request'), works, put({ state_event: 'close' }));
      await tells(about('reopen_merge_request'), works, put({ state_event: 'reopen' }));
      const milestone = { milestone_id: await world.makeMilestone() };
      await tells(about('change_milestone_merge_request'), works, put(milestone));
      const { id } = actor.user;
      await tells(about('reassign_merge_request'), works, put({ assignee_ids: [id] }));
      await tells(about('change_reviewer_merge_request'), works, put({ reviewer_ids: [id] }));
      await tells(about('merge_merge_request'), works, ({ path }) =>
        world.put(`${path}/merge`, {}),
      );
    },
    TIME_MS,
  );
});
