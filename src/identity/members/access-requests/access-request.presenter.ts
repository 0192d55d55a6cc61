import { presentUserBasic } from '../../users/user.presenter.js';
import type { UserBasicResponse } from '../../users/user.response.js';
import type { AccessRequestRow } from './access-requests.repository.js';

/** User who requests access to a project or group. */
export interface AccessRequestResponse extends UserBasicResponse {
  /** @format date-time */
  requested_at: string;
}

/** The user with the time of the request, as v4 shows it. */
export function presentAccessRequest(
  row: AccessRequestRow,
  baseUrl: string,
): AccessRequestResponse {
  return Object.assign(presentUserBasic(row, baseUrl), {
    requested_at: row.requestedAt.toISOString(),
  });
}
