import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  NewNotification,
  NotificationKind,
} from '../../src/core/activity/notifications.repository.js';
import { createIssue, type IssueBody } from '../support/issue-factories.js';
import {
  commitOn,
  gitIn,
  type MergeRequestBody,
  openMergeRequest,
} from '../support/merge-request-factories.js';
import {
  footerText,
  LETTER_HOST,
  LETTER_PARTS,
  EmailReading,
  newsOf,
  textOf,
} from './email-reading.js';

describe('a mail about an issue or a merge request', () => {
  let reading: EmailReading;
  let issue: IssueBody;
  let request: MergeRequestBody;
  beforeAll(async () => {
    reading = await EmailReading.start();
    const { app, jane, project } = reading;
    issue = await createIssue(jane.api, project, { title: 'The door' });
    const files = { 'door.txt': 'oak, planed\n' };
    await commitOn(app, project, { branch: 'plane', from: 'main', user: jane.user, files });
    request = await openMergeRequest(jane.api, project, {
      source_branch: 'plane',
      title: 'Plane it',
      description: 'As `agreed`.',
      reviewer_ids: [reading.bob.user.id],
    });
  });
  afterAll(() => reading.close());

  const onIssue = (): NewNotification['target'] => ({ type: 'issue', id: issue.id });
  const onRequest = (): NewNotification['target'] => ({ type: 'merge_request', id: request.id });
  const janes = (text: string): string[] => [`Jane Roe ${text}`];

  it('tells of a new merge request', async () => {
    const mail = await reading.email(
      'new_merge_request',
      { target: onRequest() },
      'review_requested',
    );
    expect(mail).toEqual({
      ...LETTER_PARTS,
      fromName: `Jane Roe (@${reading.jane.user.username})`,
      subject: `Hall | Plane it (!${request.iid})`,
      messageId: `<merge_request_${request.id}@${LETTER_HOST}>`,
      headers: {
        ...reading.headers(),
        'X-Svc-MergeRequest-ID': String(request.id),
        'X-Svc-MergeRequest-IID': String(request.iid),
        'X-Svc-MergeRequest-State': 'opened',
        'X-Svc-NotificationReason': 'review_requested',
      },
    });
    expect(mail.html).toContain('<p>As <code>agreed</code>.</p>');
    expect(textOf(mail)).toBe(
      [
        `Town / Hall · Merge request !${request.iid}`,
        'Plane it',
        'Jane Roe opened a merge request.',
        'Branches: plane into main\nReviewers: Bob Builder',
        'As `agreed`.',
        `View merge request:\n${reading.page}/-/merge_requests/${request.iid}`,
        footerText('your review is or was requested', 'merge request'),
      ].join('\n\n'),
    );
  });

  it('lists no more than 20 commits of a push, and none of the target branch', async () => {
    const { app, jane, project } = reading;
    const from = String(request.sha);
    const files = { 'roof.txt': 'slate\n' };
    const other = { branch: 'main', user: jane.user, message: 'Mend the roof', files };
    const merged = await commitOn(app, project, other);
    const commit = (message: string, ...parents: string[]): Promise<string> =>
      gitIn(app, project, [
        ...['-c', 'user.name=Jane', '-c', 'user.email=jane@example.com', 'commit-tree', '-m'],
        ...[message, ...parents.flatMap((parent) => ['-p', parent]), `${from}^{tree}`],
      ]);
    let to = from;
    for (let step = 1; step <= 21; step += 1) to = await commit(`Step ${step}`, to);
    to = await commit('Take over main', to, merged);
    const mail = await reading.email('push_to_merge_request', {
      ...{ target: onRequest(), details: { from, to } },
    });
    const [first, list = '', last] = newsOf(mail);
    expect(first).toBe('Jane Roe pushed 22 commits to plane:');
    expect(list.split('\n')).toHaveLength(20);
    expect(list.split('\n')[0]).toBe(`- ${to.slice(0, 8)} Take over main`);
    expect(list).not.toContain('Mend the roof');
    expect(last).toBe('Only the latest 20 commits are listed.');
  });

  it('names no commits of a push that Git does not know anymore', async () => {
    const details = { from: '1'.repeat(40), to: '2'.repeat(40) };
    const mail = await reading.email('push_to_merge_request', { target: onRequest(), details });
    expect(newsOf(mail)).toEqual(janes('pushed to plane.'));
  });

  it('tells who came and who went', async () => {
    const [a, b] = [reading.jane.user.id, reading.bob.user.id];
    const both = { target: onIssue(), details: { added: [b], removed: [a] } };
    expect(newsOf(await reading.email('reassign_issue', both))).toEqual(
      janes('changed the assignee from Jane Roe to Bob Builder.'),
    );
    const several = { target: onRequest(), details: { added: [a, b] } };
    expect(newsOf(await reading.email('change_reviewer_merge_request', several))).toEqual(
      janes('added the reviewers Bob Builder, Jane Roe.'),
    );
    const gone = { target: onRequest(), details: { removed: [b] } };
    expect(newsOf(await reading.email('reassign_merge_request', gone))).toEqual(
      janes('removed the assignee Bob Builder.'),
    );
  });

  it('tells of closing, reopening, merging and milestones in one sentence each', async () => {
    const sentences: [NotificationKind, NewNotification['target'], string][] = [
      ['close_issue', onIssue(), 'closed this issue.'],
      ['reopen_issue', onIssue(), 'reopened this issue.'],
      ['close_merge_request', onRequest(), 'closed this merge request.'],
      ['reopen_merge_request', onRequest(), 'reopened this merge request.'],
      ['merge_merge_request', onRequest(), 'merged plane into main.'],
      ['change_milestone_issue', onIssue(), 'removed the milestone.'],
      ['merge_when_pipeline_succeeds', onRequest(), 'enabled auto-merge.'],
    ];
    for (const [kind, target, sentence] of sentences) {
      expect(newsOf(await reading.email(kind, { target }))).toEqual(janes(sentence));
    }
  });

  it('names the labels that were added', async () => {
    const one = { target: onIssue(), details: { labels: ['bug'] } };
    expect(newsOf(await reading.email('relabel_issue', one))).toEqual(
      janes('added the label bug.'),
    );
    const two = { target: onRequest(), details: { labels: ['bug', 'late'] } };
    expect(newsOf(await reading.email('relabel_merge_request', two))).toEqual(
      janes('added the labels bug, late.'),
    );
  });

  it('reminds of a due issue, without an author', async () => {
    await reading.app.dataSource.query(`UPDATE issues SET due_date = '2027-03-01' WHERE id = $1`, [
      issue.id,
    ]);
    const mail = await reading.email('issue_due', { target: onIssue(), actorId: null });
    expect(mail.fromName).toBeUndefined();
    expect(mail.subject).toBe(`Re: Hall | The door (#${issue.iid})`);
    expect(newsOf(mail)).toEqual(['This issue is due on 2027-03-01.']);
  });

  it('ends a text that is too long, and says so', async () => {
    await reading.app.dataSource.query('UPDATE issues SET description = $2 WHERE id = $1', [
      issue.id,
      `${'x'.repeat(19_999)}😀 and more`,
    ]);
    const { text, html } = await reading.email(
      'mention_in_issue',
      { target: onIssue() },
      'mentioned',
    );
    const page = `${reading.page}/-/issues/${issue.iid}`;
    expect(text).toContain(`x\n\nTruncated. Read more: ${page}\n\n`);
    expect(text.length).toBeLessThan(21_000);
    expect(html).toContain('Truncated.');
    expect(Buffer.from(text, 'utf8').toString('utf8')).toBe(text);
  });
});
