/** The migrations that a database has, by name. */
export const APPLIED_MIGRATIONS_SQL = 'SELECT name FROM schema_migrations ORDER BY timestamp';
