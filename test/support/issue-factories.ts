import { expect } from '@jest/globals';
import type { ApiClient } from './api-client.js';
import type { TestApp } from './app.js';
import { unique } from './factories.js';

export interface IssueBody {
  id: number;
  iid: number;
  title: string;
  updated_at: string;
  labels: string[];
  assignees: { id: number }[];
  [key: string]: unknown;
}

/** An issue made over the API by the client's user. */
export async function createIssue(
  client: ApiClient,
  { id }: { id: number },
  body: Record<string, unknown> = {},
): Promise<IssueBody> {
  const given = { title: unique('Issue '), ...body };
  const response = await client.post(`/projects/${id}/issues`, given);
  expect(response.status).toBe(201);
  return response.body as IssueBody;
}

/** Returns the system notes of the issue, oldest first. */
export async function systemNotes(
  { dataSource }: Pick<TestApp, 'dataSource'>,
  issueId: number,
): Promise<string[]> {
  const rows: { body: string }[] = await dataSource.query(
    'SELECT body FROM notes WHERE issue_id = $1 AND system ORDER BY id',
    [issueId],
  );
  return rows.map(({ body }) => body);
}
