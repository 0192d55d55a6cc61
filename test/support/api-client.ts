import { Agent } from 'node:http';
import request, { type Test } from 'supertest';

/** Keeps connections of clients open: a new one for each request takes longer than the request. */
export const CONNECTIONS = new Agent({ keepAlive: true });

/** One user's view of the API; paths are relative to `/api/v4`. */
export interface ApiClient {
  get(path: string): Test;
  head(path: string): Test;
  options(path: string): Test;
  post(path: string, body?: object): Test;
  put(path: string, body?: object): Test;
  patch(path: string, body?: object): Test;
  delete(path: string, body?: object): Test;
}

/** Returns a client of the server at `url` that sends `token`, or is anonymous without one. */
export function api(url: string, token?: string): ApiClient {
  const agent = request(url);
  const send = (method: keyof ApiClient, path: string, body?: object): Test => {
    const test = agent[method](`/api/v4${path}`).agent(CONNECTIONS);
    if (token !== undefined) test.set('PRIVATE-TOKEN', token);
    return body === undefined ? test : test.send(body);
  };
  return {
    get: (path) => send('get', path),
    head: (path) => send('head', path),
    options: (path) => send('options', path),
    post: (path, body) => send('post', path, body),
    put: (path, body) => send('put', path, body),
    patch: (path, body) => send('patch', path, body),
    delete: (path, body) => send('delete', path, body),
  };
}
