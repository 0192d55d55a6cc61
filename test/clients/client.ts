import { Gitlab, GitbeakerRequestError } from '@gitbeaker/rest';
import type { TestApp } from '../support/app.js';

export type Client = Gitlab;

/** The library as an application of this user sets it up. */
export function clientOf({ url }: Pick<TestApp, 'url'>, { token }: { token: string }): Client {
  return new Gitlab({ host: url, token });
}

/** Returns the error that the library reports for a refused call; throws if it was not refused. */
export async function refusalOf(
  call: Promise<unknown>,
): Promise<{ status: number; description: string }> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(outcome instanceof GitbeakerRequestError) || outcome.cause === undefined) {
    throw new Error('the call was not refused', { cause: outcome });
  }
  const { description, response } = outcome.cause;
  return { status: response.status, description };
}

/** The ids of a list. */
export function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}
