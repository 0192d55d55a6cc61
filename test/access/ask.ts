import { Agent, request as httpRequest } from 'node:http';
import type { Operation } from './operation.js';
import type { Place, Presented } from './world.js';

/** Status and body of one answer. */
export interface Answer {
  status: number;
  body: string;
}

const PARALLEL = 8;

/** Asks over connections that stay open: the matrices have many thousand cells. */
export class Asker {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });

  constructor(private readonly url: string) {}

  /** Sends the operation about the place with the credential. */
  ask(operation: Operation, place: Place, { headers, query }: Presented): Promise<Answer> {
    const method = operation.route.split(' ')[0] ?? 'GET';
    const path = withQuery(operation.path(place), query);
    const body = operation.body === undefined ? '' : JSON.stringify(operation.body);
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        `${this.url}/api/v4${path}`,
        {
          method,
          agent: this.agent,
          headers: {
            ...headers,
            ...operation.headers,
            ...(body !== '' && { 'Content-Type': 'application/json' }),
            'Content-Length': Buffer.byteLength(body),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              body: Buffer.concat(chunks).toString('utf8'),
            }),
          );
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Runs the work for every item, some at a time, and answers the results in order. */
export async function forAll<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      results[at] = await work(items[at] as T);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return results;
}

function withQuery(path: string, query: string | undefined): string {
  if (query === undefined) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}
