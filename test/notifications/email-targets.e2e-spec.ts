import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commitOn } from '../support/merge-request-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';
import {
  footerText,
  LETTER_HOST,
  LETTER_PARTS,
  EmailReading,
  newsOf,
  textOf,
} from './email-reading.js';

describe('a mail about what lies in a project, or the project itself,', () => {
  let reading: EmailReading;
  let sha: string;
  beforeAll(async () => {
    reading = await EmailReading.start();
    const { app, jane, project } = reading;
    const files = { 'door.txt': 'oak, planed\n' };
    const commit = { branch: 'plane', from: 'main', message: 'Plane the door', files };
    sha = await commitOn(app, project, { ...commit, user: jane.user });
  });
  afterAll(() => reading.close());

  const lastId = async (text: string, ...values: unknown[]): Promise<number> => {
    const [row]: { id: number }[] = await reading.app.dataSource.query(text, values);
    return row?.id ?? 0;
  };

  it('tells of a comment on a line of a commit, within the thread of the commit', async () => {
    const path = `/projects/${reading.project.id}/repository/commits/${sha}/comments`;
    await reading.jane.api.post(path, {
      note: 'Smooth.',
      path: 'door.txt',
      line: 1,
      line_type: 'new',
    });
    const noteId = await lastId('SELECT max(id) AS id FROM notes');
    const mail = await reading.email('new_note', { target: { type: 'commit', id: null }, noteId });
    const short = sha.slice(0, 8);
    expect(mail).toEqual({
      ...LETTER_PARTS,
      fromName: `Jane Roe (@${reading.jane.user.username})`,
      subject: `Re: Hall | Plane the door (${short})`,
      messageId: `<note_${noteId}@${LETTER_HOST}>`,
      inReplyTo: `<commit_${sha}@${LETTER_HOST}>`,
      references: [`<commit_${sha}@${LETTER_HOST}>`],
      headers: { ...reading.headers(), 'X-Svc-Commit-ID': sha },
    });
    expect(textOf(mail)).toBe(
      [
        `Town / Hall · Commit ${short}`,
        'Plane the door',
        'Jane Roe commented on line 1 of door.txt:',
        'Smooth.',
        `View commit:\n${reading.page}/-/commit/${sha}#note_${noteId}`,
        footerText("you're participating in this commit", 'commit'),
      ].join('\n\n'),
    );
  });

  it('tells of a comment on a snippet', async () => {
    const snippet = await makeSnippet(reading.app, {
      ...{ authorId: reading.jane.user.id, projectId: reading.project.id, title: 'Glue' },
    });
    const noteId = await lastId(
      `INSERT INTO notes (snippet_id, author_id, body) VALUES ($1, $2, 'Sticky.') RETURNING id`,
      snippet.id,
      reading.jane.user.id,
    );
    const mail = await reading.email('new_note', {
      target: { type: 'snippet', id: snippet.id },
      noteId,
    });
    expect(mail).toMatchObject({
      subject: `Re: Hall | Glue ($${snippet.id})`,
      inReplyTo: `<snippet_${snippet.id}@${LETTER_HOST}>`,
      headers: { ...reading.headers(), 'X-Svc-Snippet-ID': String(snippet.id) },
    });
    expect(newsOf(mail)).toEqual(['Jane Roe commented:', 'Sticky.']);
    expect(mail.text).toContain(`${reading.page}/-/snippets/${snippet.id}#note_${noteId}\n`);
  });

  it('tells who ran a pipeline what failed', async () => {
    const id = await lastId(
      `INSERT INTO pipelines (project_id, ref, sha, status, user_id)
       VALUES ($1, 'plane', $2, 'failed', $3) RETURNING id`,
      reading.project.id,
      sha,
      reading.bob.user.id,
    );
    await reading.app.dataSource.query(
      `INSERT INTO commit_statuses (pipeline_id, name, state, description, target_url, retried)
       VALUES ($1, 'tests', 'failed', '3 of 9', 'https://ci.example/1', false),
         ($1, 'style', 'failed', NULL, 'javascript:alert(1)', false),
         ($1, 'build', 'success', NULL, NULL, false), ($1, 'old', 'failed', NULL, NULL, true)`,
      [id],
    );
    const target = { type: 'pipeline', id } as const;
    const mail = await reading.email('failed_pipeline', { target, actorId: null });
    expect(mail).toEqual({
      ...LETTER_PARTS,
      subject: `Hall | Failed pipeline for plane (${sha.slice(0, 8)})`,
      messageId: expect.stringMatching(/^<[0-9a-f]{32}@guildhall\.example>$/),
      headers: {
        ...reading.headers(),
        'X-Svc-Pipeline-Id': String(id),
        'X-Svc-Pipeline-Ref': 'plane',
        'X-Svc-Pipeline-Status': 'failed',
      },
    });
    expect(mail.html).not.toContain('javascript');
    expect(textOf(mail)).toBe(
      [
        `Town / Hall · Pipeline #${id}`,
        'Plane the door',
        `Your pipeline #${id} failed.`,
        `Branch: plane\nCommit: ${sha.slice(0, 8)}`,
        'Failed jobs:',
        '- tests, 3 of 9: https://ci.example/1\n- style',
        `View pipeline:\n${reading.page}/-/commit/${sha}`,
        footerText('you ran this pipeline', 'project'),
      ].join('\n\n'),
    );
    const fixed = await reading.email('fixed_pipeline', { target, actorId: null });
    expect(newsOf(fixed)).toEqual([
      `Your pipeline #${id} was fixed.`,
      `Branch: plane\nCommit: ${sha.slice(0, 8)}`,
    ]);
  });

  it('tells where a project has moved to', async () => {
    const target = { type: 'project', id: reading.project.id } as const;
    const details = { formerPath: 'town/old-hall' };
    const mail = await reading.email('moved_project', { target, details });
    expect(mail.subject).toBe('Hall | Project moved');
    expect(textOf(mail)).toBe(
      [
        'Project',
        'Town / Hall',
        'Jane Roe moved this project.',
        `Old path: town/old-hall\nNew path: ${reading.project.fullPath}`,
        `Update your Git remotes:\ngit remote set-url origin ${reading.page}.git`,
        `View project:\n${reading.page}`,
        footerText("you're a maintainer or owner of this project", 'project'),
      ].join('\n\n'),
    );
  });
});
