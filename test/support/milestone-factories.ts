import { expect } from '@jest/globals';
import type { ApiClient } from './api-client.js';
import { unique } from './factories.js';

export interface MilestoneBody {
  id: number;
  iid: number;
  title: string;
  [key: string]: unknown;
}

/** A milestone made over the API by the client's user. */
export async function createMilestone(
  client: ApiClient,
  { id }: { id: number },
  body: object = {},
): Promise<MilestoneBody> {
  const given = { title: unique('Milestone '), ...body };
  const response = await client.post(`/projects/${id}/milestones`, given);
  expect(response.status).toBe(201);
  return response.body as MilestoneBody;
}
