import { InvalidParamsError } from '../errors.js';

/** 400 for a request that leaves out all of the parameters of which it needs at least one. */
export function assertSomethingGiven<Name extends string>(
  dto: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
): void {
  if (names.some((name) => dto[name] !== undefined)) return;
  const list = names.join(', ');
  throw new InvalidParamsError([`${list} are missing, at least one parameter must be provided`]);
}
