import { projectPath, type DemoTeam } from './demo-team.js';
import type { DemoBody } from './instance.js';
import { CHECKOUT_ISSUES, LABELS, MILESTONES, type DemoIssue } from './issues.js';
import { MERGE_REQUESTS, type DemoMergeRequest } from './merge-requests.js';
import { daysBefore, type Timeline } from './timeline.js';

const CHECKOUT = projectPath('checkout');

/** Adds milestones, issues and merge requests with their comments and statuses. */
export function planWork(timeline: Timeline, team: DemoTeam): void {
  for (const { title, description, due } of MILESTONES) {
    timeline.add(56, async () => {
      const dueDate = daysBefore(timeline.base, -due).toISOString().slice(0, 10);
      await (
        await team.as('alice')
      ).post(`${CHECKOUT}/milestones`, {
        title,
        description,
        due_date: dueDate,
      });
    });
  }
  timeline.add(56.5, async () => {
    const alice = await team.as('alice');
    for (const [name, color] of Object.entries(LABELS)) {
      await alice.post(`${CHECKOUT}/labels`, { name, color });
    }
  });
  CHECKOUT_ISSUES.forEach((issue, at) => planIssue(timeline, team, { issue, iid: at + 1 }));
  const numbers = new Map<string, number>();
  for (const request of MERGE_REQUESTS) {
    const iid = (numbers.get(request.project) ?? 0) + 1;
    numbers.set(request.project, iid);
    planMergeRequest(timeline, team, { request, iid });
  }
  planStatusesOfMain(timeline, team);
}

function planIssue(
  timeline: Timeline,
  team: DemoTeam,
  { issue, iid }: { issue: DemoIssue; iid: number },
): void {
  const { days, author, title, labels, description, assignee, milestone, comments = [] } = issue;
  timeline.add(days, async () => {
    const milestones = await team.root.get<DemoBody[]>(`${CHECKOUT}/milestones`);
    await (
      await team.as(author)
    ).post(`${CHECKOUT}/issues`, {
      title,
      labels,
      description,
      ...(assignee !== undefined && { assignee_ids: [await team.idOf(assignee)] }),
      milestone_id: milestones.find((one) => one['title'] === milestone)?.id,
    });
  });
  planComments(timeline, team, { path: `${CHECKOUT}/issues/${iid}/notes`, comments });
  if (issue.closed === undefined) return;
  const [closedDays, closer] = issue.closed;
  timeline.add(closedDays, async () => {
    await (await team.as(closer)).put(`${CHECKOUT}/issues/${iid}`, { state_event: 'close' });
  });
}

/** Adds comments, written as `<days> <author> <text>`. */
export function planComments(
  timeline: Timeline,
  team: DemoTeam,
  { path, comments }: { path: string; comments: readonly string[] },
): void {
  for (const comment of comments) {
    const [, days = '', author = '', body = ''] = /^(\S+) (\w+) ([\s\S]*)$/.exec(comment) ?? [];
    timeline.add(Number(days), async () => {
      await (await team.as(author)).post(path, { body });
    });
  }
}

function planMergeRequest(
  timeline: Timeline,
  team: DemoTeam,
  { request, iid }: { request: DemoMergeRequest; iid: number },
): void {
  const { project, days, author, branch, title, description, labels, reviewers = [] } = request;
  const path = projectPath(project);
  timeline.add(days, async () => {
    await (
      await team.as(author)
    ).post(`${path}/merge_requests`, {
      source_branch: branch,
      target_branch: 'main',
      title,
      description,
      labels,
      reviewer_ids: await Promise.all(reviewers.map((reviewer) => team.idOf(reviewer))),
      ...(request.assignee !== undefined && { assignee_ids: [await team.idOf(request.assignee)] }),
    });
  });
  for (const [name, state, text] of request.statuses) {
    timeline.add(days - 0.02, async () => {
      await postStatus(team, { path, sha: team.tipOf(project, branch), branch, name, state, text });
    });
  }
  const target = `${path}/merge_requests/${iid}`;
  planComments(timeline, team, { path: `${target}/notes`, comments: request.comments ?? [] });
  if (request.merged !== undefined) {
    const [mergedDays, merger] = request.merged;
    timeline.add(mergedDays, async () => (await team.as(merger)).put(`${target}/merge`, {}));
  }
  if (request.closed !== undefined) {
    const [closedDays, closer] = request.closed;
    timeline.add(closedDays, async () => {
      await (await team.as(closer)).put(target, { state_event: 'close' });
    });
  }
}

interface Status {
  path: string;
  sha: string;
  branch: string;
  name: string;
  state: string;
  text?: string | undefined;
}

async function postStatus(team: DemoTeam, { path, sha, branch, ...status }: Status): Promise<void> {
  const { name, state, text: description } = status;
  const body = { name, state, description, ref: branch };
  await (await team.as('tom')).post(`${path}/statuses/${sha}`, body);
}

function planStatusesOfMain(timeline: Timeline, team: DemoTeam): void {
  team
    .mainCommits('checkout')
    .slice(0, 6)
    .forEach((sha, at) => {
      for (const name of ['lint', 'test', 'build']) {
        const state = at === 3 && name === 'test' ? 'failed' : 'success';
        timeline.add(11.9 - at / 100, async () => {
          await postStatus(team, { path: CHECKOUT, sha, branch: 'main', name, state });
        });
      }
    });
}
