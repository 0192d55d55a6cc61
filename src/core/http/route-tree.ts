import type { Request, RequestHandler } from 'express';
import { addRoute, createRouter, findRoute } from 'rou3';
import { ApiError, RouteNotFoundError } from '../errors.js';
import { pathKindOf } from './paths.js';

/** A route of one method. */
export interface Route {
  /** In upper case. */
  method: string;
  /** As its controller declares it: `/api/v4/projects/:id`, `/*project_path/-/issues`. */
  path: string;
  handler: RequestHandler;
}

/** The route of a request with the decoded values of its parameters. */
interface MatchedRoute {
  route: Route;
  params: Request['params'];
}

interface Parameter {
  name: string;
  /** Any number of segments, whose value is a list. */
  isOpen: boolean;
}

/** Routes of one shape, such as `/projects/:id`, by method. */
type Routes = Map<string, Route & { parameters: readonly Parameter[] }>;

/** Routes at a path with the values of their parameters, still encoded, in their order. */
interface Place {
  routes: Routes;
  values: readonly string[];
}

/** The usual order of an Allow header. */
const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

const PARAMETER = /([:*])(\w+)/g;

/** Paths that begin with that of a user, group or project, and the key of their routes. */
const OPEN_PATHS: readonly (readonly [RegExp, string])[] = [
  [/^\/groups\/\*\w+/, '/group'],
  [/^\/\*\w+/, '/project'],
  [/^\/:\w+$/, '/user'],
];

/**
 * All routes but those that read bodies themselves, as trees of path segments: neither their number
 * nor their order matters. A fixed segment wins over a parameter, for all methods: `/snippets/all` is
 * never the snippet `all`, even if only `/snippets/:id` has the method.
 *
 * Paths that begin with the name of a user, group or project are a tree of their own, searched
 * last. The name ends at the first segment `-`, which no group or project can have.
 */
export class RouteTree {
  private readonly fixed = new Tree();
  private readonly open = new Tree();
  private readonly known: Route[] = [];

  add(route: Route): void {
    this.known.push(route);
    const parameters = [...route.path.matchAll(PARAMETER)].map(([, kind, name = '']) => ({
      name,
      isOpen: kind === '*',
    }));
    const [start, key] = OPEN_PATHS.find(([pattern]) => pattern.test(route.path)) ?? [];
    if (start === undefined || key === undefined)
      this.fixed.add(route.path, { ...route, parameters });
    else this.open.add(route.path.replace(start, key), { ...route, parameters });
  }

  /** All routes. */
  list(): readonly Readonly<Route>[] {
    return this.known;
  }

  /** Returns the route for the path and method, or null. */
  find({ path, method }: Pick<Request, 'path' | 'method'>): MatchedRoute | null {
    const place = this.fixed.find(path);
    const found = place === null ? null : matched(place, method);
    if (found !== null) return found;
    for (const each of this.openPlaces(path)) {
      const open = matched(each, method);
      if (open !== null) return open;
    }
    return null;
  }

  /** Returns the value of the Allow header for a path, or null when no route matches. */
  allowedMethods(path: string): string | null {
    const place = this.fixed.find(path);
    const places = place === null ? this.openPlaces(path) : [place, ...this.openPlaces(path)];
    const methods = new Set(places.flatMap(({ routes }) => [...routes.keys()]));
    if (methods.size === 0) return null;
    if (methods.has('GET')) methods.add('HEAD');
    return ['OPTIONS', ...ORDER.filter((method) => methods.has(method))].join(', ');
  }

  /** Returns the error for a request without a matching route (RFC 9110 §15.5.6). */
  errorFor({ path }: Pick<Request, 'path'>): ApiError {
    const allow = this.allowedMethods(path);
    if (allow === null) return new RouteNotFoundError();
    return new ApiError(405, { error: '405 Not Allowed' }, { headers: { Allow: allow } });
  }

  /** Paths of the API are never those of a user, group or project. */
  private openPlaces(path: string): Place[] {
    if (pathKindOf(path) !== 'page') return [];
    return openPaths(path.replace(/(?<=.)\/$/, '')).flatMap(([key, name]) => {
      const place = this.open.find(key);
      return place === null ? [] : [{ ...place, values: [name, ...place.values] }];
    });
  }
}

/** Keys in the tree of open paths that a path can have, each with its name, best first. */
function openPaths(path: string): [string, string][] {
  const keys: [string, string][] = [];
  if (path.startsWith('/groups/'))
    keys.push(...splitAtDash('/group', path.slice('/groups/'.length)));
  if (path.length > 1 && !path.includes('/', 1)) keys.push(['/user', path.slice(1)]);
  return [...keys, ...splitAtDash('/project', path.slice(1))];
}

function splitAtDash(key: string, text: string): [string, string][] {
  const end = text.indexOf('/-/');
  const whole: [string, string][] = text === '' ? [] : [[key, text]];
  return end < 1 ? whole : [[key + text.slice(end), text.slice(0, end)], ...whole];
}

function matched({ routes, values }: Place, method: string): MatchedRoute | null {
  const route = routes.get(method) ?? (method === 'HEAD' ? routes.get('GET') : undefined);
  if (route === undefined) return null;
  const params: Request['params'] = {};
  for (const [at, { name, isOpen }] of route.parameters.entries()) {
    const value = values[at] ?? '';
    params[name] = isOpen ? value.split('/').map(decoded) : decoded(value);
  }
  return { route, params };
}

/** Text that is not UTF-8 has been refused before. */
function decoded(text: string): string {
  return text.includes('%') ? decodeURIComponent(text) : text;
}

/** Routes by their shape: what the parameters are called differs between methods. */
class Tree {
  private readonly tree = createRouter<Routes>();
  private readonly shapes = new Map<string, Routes>();

  add(path: string, route: Route & { parameters: readonly Parameter[] }): void {
    let count = 0;
    const shape = path.replace(PARAMETER, (_, kind) => `${kind === '*' ? '**' : ''}:p${count++}`);
    let routes = this.shapes.get(shape);
    if (routes === undefined) {
      routes = new Map();
      this.shapes.set(shape, routes);
      addRoute(this.tree, '', shape, routes);
    }
    // As in a list of routes the first of two equal ones counts.
    if (!routes.has(route.method)) routes.set(route.method, route);
  }

  find(path: string): Place | null {
    const found = findRoute(this.tree, '', path);
    if (found === undefined) return null;
    return { routes: found.data, values: Object.values(found.params ?? {}) };
  }
}
