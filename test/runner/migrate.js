const ORMCONFIG = new URL('../../dist/ormconfig.js', import.meta.url);

// The module reads DATABASE_URL when it is loaded.
const { default: dataSource } = await import(ORMCONFIG.href);
await dataSource.initialize();
await dataSource.runMigrations();
await dataSource.destroy();
