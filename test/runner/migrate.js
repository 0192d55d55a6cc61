const ORMCONFIG = new URL('../../dist/ormconfig.js', import.meta.url);

// The module reads DATABASE_URL on load.
const { default: dataSource } = await import(ORMCONFIG.href);
await dataSource.initialize();
await dataSource.runMigrations();
await dataSource.destroy();
