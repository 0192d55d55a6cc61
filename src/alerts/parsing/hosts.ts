import { characterCount, firstCharacters, textOf } from './alert-texts.js';

/** Characters of all hosts of an alert together. */
const MAX_CHARACTERS = 255;

/**
 * Hosts of a plain payload: one text or a list, nested ones flattened, blank ones left out. The
 * one that exceeds 255 characters together with those before it is cut, the rest is dropped.
 */
export function hostsOf(value: unknown): string[] {
  const hosts: string[] = [];
  collect(value, hosts, MAX_CHARACTERS);
  return hosts;
}

/** Returns the number of characters left. */
function collect(value: unknown, hosts: string[], room: number): number {
  if (Array.isArray(value)) {
    let left = room;
    for (let at = 0; at < value.length && left > 0; at++) left = collect(value[at], hosts, left);
    return left;
  }
  const text = textOf(value);
  if (text === null) return room;
  const host = firstCharacters(text, room);
  hosts.push(host);
  return room - characterCount(host);
}
