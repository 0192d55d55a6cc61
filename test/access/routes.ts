import type { TestApp } from '../support/app.js';

interface Layer {
  route?: { path: string | string[]; methods: Record<string, boolean> };
}

const PREFIX = '/api/v4';

/** `METHOD /path` of every route that the router serves below /api/v4, sorted. */
export function routesOf({ app }: Pick<TestApp, 'app'>): string[] {
  const { router } = app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
  const routes = router.stack.flatMap(({ route }) => {
    if (route === undefined) return [];
    const methods = Object.keys(route.methods).map((method) => method.toUpperCase());
    return [route.path].flat().flatMap((path) => methods.map((method) => `${method} ${path}`));
  });
  return routes
    .filter((route) => route.includes(` ${PREFIX}/`))
    .map((route) => route.replace(PREFIX, ''))
    .sort();
}
