/** Shows that the database answers. */
export const PING_SQL = 'SELECT 1';
