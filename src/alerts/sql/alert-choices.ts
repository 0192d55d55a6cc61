import { PROJECT_ABILITIES } from '../../identity/members/abilities.js';
import { ROLES } from '../../identity/members/roles.js';

/** Role that can read alerts. */
export const READER_LEVEL = ROLES[PROJECT_ABILITIES.read_alert];

const MAX_ENVIRONMENTS = 100;

/** $1 = project. */
export const ENVIRONMENTS_SQL = `SELECT name FROM environments
  WHERE project_id = $1 AND state = 'available' ORDER BY name LIMIT ${MAX_ENVIRONMENTS}`;
