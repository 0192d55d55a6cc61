import type { UserBasicResponse } from '../../identity/users/user.response.js';
import { presentUserBasic, type UserBasics } from '../../identity/users/user.presenter.js';
import type { StateChange } from './issue-state-event.entity.js';

/** That someone closed or reopened an issue, as it is read. */
export interface StateEventRow {
  id: number;
  issueId: number;
  state: StateChange;
  createdAt: Date;
  user: UserBasics;
}

/** State event of an issue. */
export interface StateEventResponse {
  id: number;
  user: UserBasicResponse;
  /** @format date-time */
  created_at: string;
  resource_type: 'Issue';
  /** ID of the issue. */
  resource_id: number;
  /** Always null: commits do not close issues. */
  source_commit: null;
  /** Always null. */
  source_merge_request_id: null;
  state: StateChange;
}

/** The event with who caused it. */
export function presentStateEvent(row: StateEventRow, baseUrl: string): StateEventResponse {
  return {
    id: row.id,
    user: presentUserBasic(row.user, baseUrl),
    created_at: row.createdAt.toISOString(),
    resource_type: 'Issue',
    resource_id: row.issueId,
    source_commit: null,
    source_merge_request_id: null,
    state: row.state,
  };
}
