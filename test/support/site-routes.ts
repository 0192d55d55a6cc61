import type { TestApp } from './app.js';

interface Layer {
  route?: { path: string | string[]; methods: Record<string, boolean> };
}

/**
 * A path for every route of this method that lies outside of the API, sorted: ids are 1, names of
 * groups and projects `some/where`.
 */
export function sitePaths({ app }: Pick<TestApp, 'app'>, method: 'get' | 'post'): string[] {
  const { router } = app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
  const paths = router.stack.flatMap(({ route }) =>
    route?.methods[method] === true ? [route.path].flat() : [],
  );
  const outside = paths.filter((path) => !path.startsWith('/api/'));
  const filled = outside.map((path) =>
    path.replace(/\*\w+/g, 'some/where').replace(/:\w+/g, '1').replace(/[{}]/g, ''),
  );
  return [...new Set(filled)].sort();
}
