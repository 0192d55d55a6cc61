import { Injectable } from '@nestjs/common';
import { ApiError, InvalidParamsError } from '../../core/errors.js';
import { Sql } from '../../core/sql/sql.service.js';
import { PROJECT_ABILITIES } from '../../members/abilities.js';
import { accessLevelSql } from '../../members/member-access.service.js';
import { ROLES } from '../../members/roles.js';
import type { UpdateAlertDto } from './dto/update-alert.dto.js';

/** Who takes care of an alert. */
export interface Assignee {
  id: number;
  username: string;
}

const READER_LEVEL = ROLES[PROJECT_ABILITIES.read_alert];

/** Blocked people read nothing; administrators read everything. */
const FIND_SQL = `
  SELECT u.id, u.username FROM users u, projects p JOIN namespaces n ON n.id = p.namespace_id
  WHERE p.id = $1 AND (u.id = $2 OR lower(u.username) = lower($3)) AND u.state = 'active'
    AND (u.admin OR ${accessLevelSql('u.id', 'n', 'p.id')} >= ${READER_LEVEL})`;

/** Finds out whom a request wants to take care of an alert. */
@Injectable()
export class AlertAssignees {
  constructor(private readonly sql: Sql) {}

  /**
   * undefined when the request does not say, null for nobody. Throws 400 for who cannot read the
   * project's alerts; unknown people are refused alike, so that nobody learns who there is.
   */
  async wanted(
    projectId: number,
    { assignee_ids: ids, assignee_usernames: usernames }: UpdateAlertDto,
  ): Promise<Assignee | null | undefined> {
    if (ids !== undefined && usernames !== undefined) {
      throw new InvalidParamsError(['assignee_ids, assignee_usernames are mutually exclusive']);
    }
    if (ids === undefined && usernames === undefined) return undefined;
    const [id, username] = [ids?.[0] ?? null, usernames?.[0] ?? null];
    // Clients of v4 write 0 for nobody.
    if (id === 0 || (id === null && username === null)) return null;
    const assignee = await this.sql.row<Assignee>(FIND_SQL, [projectId, id, username]);
    if (assignee === null) throw new ApiError(400, { message: 'Assignee has no permissions' });
    return assignee;
  }
}
