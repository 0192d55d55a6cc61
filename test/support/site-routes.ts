import type { HttpAdapter } from '../../src/core/http/http-adapter.js';
import type { TestApp } from './app.js';

/**
 * A path for every route of this method that lies outside of the API, sorted: ids are 1, names of
 * groups and projects `some/where`.
 */
export function sitePaths({ app }: Pick<TestApp, 'app'>, method: 'get' | 'post'): string[] {
  const { routes } = app.getHttpAdapter() as HttpAdapter;
  const paths = routes
    .list()
    .filter((route) => route.method === method.toUpperCase())
    .map(({ path }) => path);
  const outside = paths.filter((path) => !path.startsWith('/api/'));
  const filled = outside.map((path) =>
    path.replace(/\*\w+/g, 'some/where').replace(/:\w+/g, '1').replace(/[{}]/g, ''),
  );
  return [...new Set(filled)].sort();
}
